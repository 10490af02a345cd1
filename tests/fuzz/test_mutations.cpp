// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/paths.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Random = std::mt19937_64;

/// Pieces that mean something to the reader.
constexpr const char* words[] = {"backlash: 1\n",
                                 "bodies:",
                                 "joints:",
                                 "forces:",
                                 "contacts:",
                                 "laws:",
                                 "events:",
                                 "parameters:",
                                 "type: ",
                                 "between: ",
                                 "[",
                                 "]",
                                 "{",
                                 "}",
                                 ": ",
                                 ", ",
                                 "- ",
                                 "\n",
                                 "\n  ",
                                 "&a ",
                                 "*a",
                                 "!!str ",
                                 "|\n",
                                 ">\n",
                                 "'",
                                 "\"",
                                 "#",
                                 "---\n",
                                 "...\n",
                                 "<<: ",
                                 "? ",
                                 "~",
                                 "null",
                                 "true",
                                 "1e400",
                                 "-0",
                                 "nan",
                                 ".inf",
                                 "1 mm",
                                 "1 N/mm",
                                 "m^-99",
                                 "((((((((",
                                 "))))))))",
                                 "^^",
                                 "if(",
                                 "step(",
                                 "t",
                                 "crank.q",
                                 "ground",
                                 "\xc3\xa9",
                                 "\xff",
                                 "\x01",
                                 "\t",
                                 "\r\n",
                                 "include: x.yaml\n",
                                 "1/0",
                                 "sqrt(-1)",
                                 "999999999999999"};

std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  const std::filesystem::path root = backlash::source_folder();
  for (const char* folder : {"tests/fuzz/seeds", "examples"})
    if (std::filesystem::exists(root / folder))
      for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
        if (entry.path().extension() == ".yaml") texts.push_back(backlash::file_text(entry.path()));
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

/// One change of the text: bytes replaced, removed, repeated, or words put in.
void mutate(std::string& text, const std::vector<std::string>& others, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = std::min(below(random, 40), text.size() - at);
  switch (random() % 6) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      text.insert(at, words[below(random, std::size(words))]);
      break;
    case 4: {
      const std::string& other = others[below(random, others.size())];
      text.insert(at, other.substr(below(random, other.size() + 1), 60));
      break;
    }
    default:
      text.replace(at, length, words[below(random, std::size(words))]);
  }
}

/// How many texts a test tries: the same ones on every machine. More are a matter of the
/// environment: BACKLASH_FUZZ_RUNS=100000.
int allowed_runs() {
  const char* runs = std::getenv("BACKLASH_FUZZ_RUNS");
  return runs ? std::atoi(runs) : 1000;
}

/// Texts made from the seeds by a change.
template <class Change>
void try_texts(const std::vector<std::string>& texts, std::size_t most_changes, Change change) {
  ASSERT_FALSE(texts.empty());
  Random random(20);
  const int runs = allowed_runs();
  for (int run = 0; run < runs; ++run) {
    std::string text = texts[below(random, texts.size())];
    const std::size_t changes = 1 + below(random, most_changes);
    for (std::size_t i = 0; i < changes; ++i) change(text, random);
    SCOPED_TRACE(text);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
}

TEST(ModelReader, AnswersAnyTextWithAModelOrAnInputError) {
  const std::vector<std::string> texts = seeds();
  try_texts(texts, 8, [&](std::string& text, Random& random) { mutate(text, texts, random); });
}

/// Where the numbers of a text are: first character and length.
std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(text[i] & 0x7f);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i > 0 ? text[i - 1] : ' ';
    if (!is_digit(i) || std::isalnum(before & 0x7f) || before == '_' || before == '.') continue;
    std::size_t end = i;
    while (is_digit(end) || (end < text.size() && text[end] == '.')) ++end;
    const bool power = end + 1 < text.size() && text[end] == 'e';
    if (power && (is_digit(end + 1) || is_digit(end + 2)))
      for (end += 2; is_digit(end);) ++end;
    places.emplace_back(i, end - i);
    i = end;
  }
  return places;
}

/// Another number in the place of one that is there: most of these are still models.
void change_number(std::string& text, Random& random) {
  constexpr const char* others[] = {"0",     "-1",    "1",     "1e-300", "1e300", "1e-12", "1e12",
                                    "-1e-9", "0.999", "(1/3)", "1e6",    "2",     "-0.5",  "pi"};
  const auto places = numbers_in(text);
  if (places.size() < 2) return;
  const auto [at, length] = places[1 + below(random, places.size() - 1)];
  text.replace(at, length, others[below(random, std::size(others))]);
}

TEST(Check, TakesAnyNumbersInAModel) { try_texts(seeds(), 3, change_number); }

}  // namespace
