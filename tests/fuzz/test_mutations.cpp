// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/files.h"

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
  const std::filesystem::path root = BACKLASH_SOURCE_DIR;
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

std::chrono::duration<double> time_allowed() {
  const char* seconds = std::getenv("BACKLASH_FUZZ_SECONDS");
  return std::chrono::duration<double>(seconds ? std::atof(seconds) : 3.0);
}

TEST(ModelReader, AnswersAnyTextWithAModelOrAnInputError) {
  const std::vector<std::string> texts = seeds();
  ASSERT_FALSE(texts.empty());
  Random random(20);
  const auto end = std::chrono::steady_clock::now() + time_allowed();
  while (std::chrono::steady_clock::now() < end) {
    std::string text = texts[below(random, texts.size())];
    const std::size_t changes = 1 + below(random, 8);
    for (std::size_t i = 0; i < changes; ++i) mutate(text, texts, random);
    SCOPED_TRACE(text);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
}

}  // namespace
