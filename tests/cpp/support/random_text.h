// Random byte strings for tests of writers, with everything in them that has broken one.
#pragma once

#include <random>
#include <string>

namespace proton_xpu {

inline std::string random_text(std::mt19937_64* random) {
  static const std::string pieces[] = {"a",
                                       "\"",
                                       "\\",
                                       "/",
                                       "\n",
                                       "\x01",
                                       "\x7F",
                                       "é",
                                       "漢",
                                       "\U0001F600",
                                       "\xFF",
                                       "\xC0\xAF",
                                       "\xED\xA0\x80",
                                       "\xE2\x82",
                                       "\xF5\x80\x80\x80",
                                       "<b>"};
  std::string text;
  for (std::uint64_t left = (*random)() % 12; left > 0; --left) {
    text += pieces[(*random)() % std::size(pieces)];
  }
  if ((*random)() % 8 == 0) {
    text += '\0';
  }
  if ((*random)() % 16 == 0) {
    text += std::string((*random)() % 300, 'x');
  }
  return text;
}

}  // namespace proton_xpu
