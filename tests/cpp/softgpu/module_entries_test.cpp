#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

class ModuleEntriesTest : public SoftDevice {
 protected:
  ze_result_t create(const std::string& text,
                     ze_module_format_t format = ZE_MODULE_FORMAT_IL_SPIRV) {
    const ze_module_desc_t description{ZE_STRUCTURE_TYPE_MODULE_DESC,
                                       nullptr,
                                       format,
                                       text.size(),
                                       reinterpret_cast<const std::uint8_t*>(text.data()),
                                       "",
                                       nullptr};
    return ze().Module.pfnCreate(context_, device_, &description, &created_, &log_);
  }

  std::string log_text() {
    std::size_t size = 0;
    EXPECT_EQ(ze().ModuleBuildLog.pfnGetString(log_, &size, nullptr), ZE_RESULT_SUCCESS);
    std::string text(size, '?');
    EXPECT_EQ(ze().ModuleBuildLog.pfnGetString(log_, &size, text.data()), ZE_RESULT_SUCCESS);
    EXPECT_EQ(ze().ModuleBuildLog.pfnDestroy(log_), ZE_RESULT_SUCCESS);
    return text.substr(0, text.find('\0'));
  }

  ze_module_handle_t created_ = nullptr;
  ze_module_build_log_handle_t log_ = nullptr;
};

TEST_F(ModuleEntriesTest, FailedBuildGivesTheReason) {
  EXPECT_EQ(create("broken"), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  EXPECT_EQ(created_, nullptr);
  EXPECT_EQ(log_text(), "line 1: broken");
  EXPECT_EQ(create("native"), ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  EXPECT_EQ(log_text(), "");
  EXPECT_EQ(create("noop\n", ZE_MODULE_FORMAT_NATIVE), ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  EXPECT_EQ(create("noop\n", static_cast<ze_module_format_t>(9)),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
  EXPECT_EQ(create(""), ZE_RESULT_ERROR_INVALID_SIZE);
}

TEST_F(ModuleEntriesTest, TellsKernelsGlobalsAndBinary) {
  EXPECT_EQ(create("one\ntwo\n"), ZE_RESULT_SUCCESS);
  EXPECT_EQ(log_text(), "");
  std::uint32_t count = 0;
  EXPECT_EQ(ze().Module.pfnGetKernelNames(created_, &count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 2U);
  std::array<const char*, 5> names{};
  count = 5;
  EXPECT_EQ(ze().Module.pfnGetKernelNames(created_, &count, names.data()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 2U);
  EXPECT_STREQ(names[0], "one");
  EXPECT_STREQ(names[1], "two");

  std::size_t size = 0;
  void* pointer = nullptr;
  EXPECT_EQ(ze().Module.pfnGetGlobalPointer(created_, "answer", &size, &pointer),
            ZE_RESULT_SUCCESS);
  EXPECT_EQ(size, sizeof(int));
  EXPECT_EQ(*static_cast<int*>(pointer), 42);
  EXPECT_EQ(ze().Module.pfnGetGlobalPointer(created_, "question", &size, &pointer),
            ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);

  EXPECT_EQ(ze().Module.pfnGetNativeBinary(created_, &size, nullptr), ZE_RESULT_SUCCESS);
  std::vector<std::uint8_t> binary(size);
  EXPECT_EQ(ze().Module.pfnGetNativeBinary(created_, &size, binary.data()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(std::string(binary.begin(), binary.end()), "one\ntwo\n");
  EXPECT_EQ(ze().Module.pfnDestroy(created_), ZE_RESULT_SUCCESS);
}

TEST_F(ModuleEntriesTest, SeveralModulesMakeOneProgram) {
  const std::array<std::string, 2> texts{"one\n", "two\n"};
  std::array<const std::uint8_t*, 2> inputs{reinterpret_cast<const std::uint8_t*>(texts[0].data()),
                                            reinterpret_cast<const std::uint8_t*>(texts[1].data())};
  std::array<std::size_t, 2> sizes{texts[0].size(), texts[1].size()};
  ze_module_program_exp_desc_t program{};
  program.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC;
  program.count = 2;
  program.inputSizes = sizes.data();
  program.pInputModules = inputs.data();
  ze_module_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  description.pNext = &program;
  EXPECT_EQ(ze().Module.pfnCreate(context_, device_, &description, &created_, nullptr),
            ZE_RESULT_SUCCESS);
  std::uint32_t count = 0;
  EXPECT_EQ(ze().Module.pfnGetKernelNames(created_, &count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 2U);
  ze_module_build_log_handle_t log = nullptr;
  EXPECT_EQ(ze().Module.pfnDynamicLink(1, &created_, &log), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().ModuleBuildLog.pfnDestroy(log), ZE_RESULT_SUCCESS);
}

}  // namespace
}  // namespace softgpu::testing
