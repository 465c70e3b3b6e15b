#include "format/json_writer.h"

#include <gtest/gtest.h>

#include <string>

namespace proton_xpu {
namespace {

std::string example(bool indented) {
  std::string text;
  JsonWriter json(indented, &text);
  json.begin_array();
  json.begin_object();
  json.key("a");
  json.number(std::int64_t{-1});
  json.key("b");
  json.begin_array();
  json.end_array();
  json.end_object();
  json.value("c");
  json.value(true);
  json.begin_object();
  json.end_object();
  json.end_array();
  return text;
}

TEST(JsonWriter, WritesOneLine) { EXPECT_EQ(example(false), R"([{"a":-1,"b":[]},"c",true,{}])"); }

TEST(JsonWriter, IndentsByFour) {
  EXPECT_EQ(example(true),
            "[\n"
            "    {\n"
            "        \"a\": -1,\n"
            "        \"b\": []\n"
            "    },\n"
            "    \"c\",\n"
            "    true,\n"
            "    {}\n"
            "]");
}

}  // namespace
}  // namespace proton_xpu
