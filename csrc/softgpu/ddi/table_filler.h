// What the generated table getters are made of.
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

#include <cstdint>
#include <exception>
#include <new>

#include "softgpu/api/entry_points.h"
#include "softgpu/control.h"
#include "softgpu/log.h"

namespace softgpu {

/// An entry point as it stands in a table: no exception leaves it, and it can be logged.
template <typename Name, auto function>
struct TableEntry;

template <typename Name, typename... Arguments, ze_result_t (*function)(Arguments...)>
struct TableEntry<Name, function> {
  static ze_result_t ZE_APICALL call(Arguments... arguments) noexcept {
    ze_result_t result = ZE_RESULT_ERROR_UNKNOWN;
    try {
      result = function(arguments...);
    } catch (const std::bad_alloc&) {
      result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    } catch (const std::exception& error) {
      log(error.what());
    }
    if (kLogLevel != LogLevel::kProblem) log_call(Name::value(), result);
    return result;
  }
};

/// Answers for all that the driver does not have.
template <typename Function>
struct UnsupportedEntry;

template <typename Result, typename... Arguments>
struct UnsupportedEntry<Result (*)(Arguments...)> {
  static Result ZE_APICALL call(Arguments...) noexcept {
    return static_cast<Result>(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  }
};

template <typename... Arguments>
struct UnsupportedEntry<void (*)(Arguments...)> {
  static void ZE_APICALL call(Arguments...) noexcept {}
};

/// Fills the entries of a table that a loader of version `version` has.
class TableFiller {
 public:
  TableFiller(ze_api_version_t version, const void* table)
      : version_(static_cast<std::uint32_t>(version)) {
    if (table == nullptr) {
      refusal_ = ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    } else if (ZE_MAJOR_VERSION(version_) != ZE_MAJOR_VERSION(ZE_API_VERSION_CURRENT)) {
      refusal_ = ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
    }
  }

  /// Why the table cannot be filled; success if it can.
  ze_result_t refusal() const { return refusal_; }

  template <typename Function, typename Target>
  void entry(Function& field, std::uint32_t since, Target function) const {
    if (version_ >= since) field = function;
  }

  template <typename Function>
  void unsupported(Function& field, std::uint32_t since) const {
    entry(field, since, UnsupportedEntry<Function>::call);
  }

 private:
  std::uint32_t version_;
  ze_result_t refusal_ = ZE_RESULT_SUCCESS;
};

}  // namespace softgpu

#define SOFTGPU_FILL(field, since, function)                                              \
  do {                                                                                    \
    struct Name {                                                                         \
      static const char* value() { return #function; }                                    \
    };                                                                                    \
    fill.entry(field, since, softgpu::TableEntry<Name, &softgpu::entry::function>::call); \
  } while (false)
