// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/printable.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace backlash {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "a\tb\r\nc", "Λ_N ≤ μ γ", "\U0001F600", "\u00a0"}) {
    EXPECT_EQ(find_not_text(text), std::string_view::npos) << text;
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ShowsBytesThatAreNoTextByTheirNumbers) {
  EXPECT_EQ(printable("a\033[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // a control character of two bytes
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // writes from right to left
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\xe2\\x81\\xa6");
  EXPECT_EQ(printable("\u2028\u2029"), "\\xe2\\x80\\xa8\\xe2\\x80\\xa9");  // end lines for some
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // too long for what it says
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");  // ends too early
  EXPECT_EQ(find_not_text("ab\xff"), 2u);
}

TEST(Printable, KeepsTheLengthOfPlainText) {
  EXPECT_EQ(plain_text(std::string(5000, 'x') + "\033\xff"), std::string(5000, 'x') + "\\x1b\\xff");
}

TEST(Printable, IsAFewLinesLong) {
  const std::string text = printable(std::string(100000, 'x') + "end");
  EXPECT_LT(text.size(), 700u);
  EXPECT_TRUE(text.ends_with("xend"));
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "line\n";
  EXPECT_EQ(std::ranges::count(printable(lines, 5), '\n'), 5);
  std::string greek;
  for (int i = 0; i < 1000; ++i) greek += "μ";
  EXPECT_EQ(find_not_text(printable(greek)), std::string::npos);
}

}  // namespace
}  // namespace backlash
