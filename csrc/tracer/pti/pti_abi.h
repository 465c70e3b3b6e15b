// The part of Intel PTI's binary interface that this project uses, declared from its public
// documentation so that no PTI header is needed. Layouts hold for libpti_view 0.12 to 1.x; fields
// that only 1.x has stand in the *V2 structures, which extend the older ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proton_xpu::pti {

enum class Result : std::uint32_t {
  kSuccess = 0,
  kEndOfBuffer = 1,
  kNotImplemented = 2,
  kDriverError = 50,
  kTracingNotInitialized = 51,
};

enum class ViewKind : std::uint32_t {
  kKernel = 1,
  kMemoryCopy = 8,
  kMemoryFill = 9,
  kMemoryCopyPeerToPeer = 10,
};

enum class MemoryType : std::uint32_t {
  kUnregisteredHost = 0,
  kHost = 1,
  kDevice = 2,
  kShared = 3
};

enum class CallbackDomain : std::uint32_t { kOperationAppended = 4 };

enum class CallbackPhase : std::uint32_t { kEnter = 1, kExit = 2 };

enum class OperationKind : std::uint32_t { kKernel = 1, kMemory = 2, kOther = 3 };

/// Bits of OperationData::command_list_type.
constexpr std::uint32_t kCommandListImmediate = 1U << 1;

constexpr std::uint32_t kApiGroupLevelZero = 1;

struct Version {
  std::uint32_t major_number;
  std::uint32_t minor_number;
  std::uint32_t patch_number;
};

struct RecordBase {
  ViewKind kind;
};

/// Times are in nanoseconds on the clock that was set; 0 if PTI does not know.
struct KernelRecord {
  RecordBase base;
  void* queue;
  void* context;
  const char* name;
  const char* source_file;
  std::uint64_t source_line;
  std::uint64_t kernel_id;
  std::uint32_t correlation_id;
  std::uint32_t thread_id;
  char pci_address[16];
  std::uint8_t device_uuid[16];
  std::uint64_t append_time;
  std::uint64_t start_time;
  std::uint64_t end_time;
  std::uint64_t submit_time;
  std::uint64_t sycl_task_time;
  std::uint64_t sycl_enqueue_time;
  std::uint64_t sycl_node_id;
  std::uint64_t sycl_queue_id;
  std::uint32_t sycl_invocation_id;
};

struct KernelRecordV2 {
  KernelRecord base;
  void* device;
  std::uint32_t engine_ordinal;
  std::uint32_t engine_index;
};

struct MemoryCopyRecord {
  RecordBase base;
  std::uint32_t copy_type;
  MemoryType source_type;
  MemoryType destination_type;
  void* queue;
  void* context;
  const char* name;
  char pci_address[16];
  std::uint8_t device_uuid[16];
  std::uint64_t operation_id;
  std::uint32_t correlation_id;
  std::uint32_t thread_id;
  std::uint64_t append_time;
  std::uint64_t start_time;
  std::uint64_t end_time;
  std::uint64_t submit_time;
  std::uint64_t bytes;
  std::uint64_t sycl_queue_id;
};

struct MemoryCopyRecordV2 {
  MemoryCopyRecord base;
  void* device;
  std::uint32_t engine_ordinal;
  std::uint32_t engine_index;
};

struct PeerToPeerCopyRecord {
  RecordBase base;
  std::uint32_t copy_type;
  MemoryType source_type;
  MemoryType destination_type;
  void* queue;
  void* context;
  const char* name;
  char source_pci_address[16];
  char destination_pci_address[16];
  std::uint8_t source_uuid[16];
  std::uint8_t destination_uuid[16];
  std::uint64_t operation_id;
  std::uint32_t correlation_id;
  std::uint32_t thread_id;
  std::uint64_t append_time;
  std::uint64_t start_time;
  std::uint64_t end_time;
  std::uint64_t submit_time;
  std::uint64_t bytes;
  std::uint64_t sycl_queue_id;
};

struct PeerToPeerCopyRecordV2 {
  PeerToPeerCopyRecord base;
  void* source_device;
  void* destination_device;
  std::uint32_t engine_ordinal;
  std::uint32_t engine_index;
};

struct MemoryFillRecord {
  RecordBase base;
  MemoryType memory_type;
  void* queue;
  void* context;
  const char* name;
  char pci_address[16];
  std::uint8_t device_uuid[16];
  std::uint64_t operation_id;
  std::uint32_t correlation_id;
  std::uint32_t thread_id;
  std::uint64_t append_time;
  std::uint64_t start_time;
  std::uint64_t end_time;
  std::uint64_t submit_time;
  std::uint64_t bytes;
  std::uint64_t value;
  std::uint64_t sycl_queue_id;
};

struct MemoryFillRecordV2 {
  MemoryFillRecord base;
  void* device;
  std::uint32_t engine_ordinal;
  std::uint32_t engine_index;
};

/// One operation within an append call.
struct OperationDetails {
  OperationKind kind;
  std::uint64_t operation_id;  ///< Equals kernel_id or operation_id of the record.
  std::uint64_t kernel_handle;
  const char* name;
};

/// What the callback of CallbackDomain::kOperationAppended is given.
struct OperationData {
  CallbackDomain domain;
  std::uint32_t command_list_type;
  void* command_list;
  void* queue;
  void* device;
  CallbackPhase phase;
  std::uint32_t return_code;  ///< ze_result_t of the append call; exit only.
  std::uint32_t correlation_id;
  std::uint32_t operation_count;
  const OperationDetails* operations;
};

struct Subscriber;
using SubscriberHandle = Subscriber*;

using BufferRequested = void (*)(unsigned char** buffer, std::size_t* size);
using BufferCompleted = void (*)(unsigned char* buffer, std::size_t size, std::size_t used);
using GetTimestamp = std::uint64_t (*)();
using OperationCallback = void (*)(CallbackDomain domain, std::uint32_t api_group,
                                   std::uint32_t api_id, void* context, void* data, void* user_data,
                                   void** instance_data);

static_assert(sizeof(void*) == 8, "The layouts below are those of 64-bit processes.");
static_assert(sizeof(KernelRecord) == 168);
static_assert(offsetof(KernelRecord, kernel_id) == 48);
static_assert(offsetof(KernelRecord, pci_address) == 64);
static_assert(offsetof(KernelRecord, append_time) == 96);
static_assert(offsetof(KernelRecord, submit_time) == 120);
static_assert(offsetof(KernelRecordV2, device) == sizeof(KernelRecord));
static_assert(sizeof(KernelRecordV2) == 184);
static_assert(sizeof(MemoryCopyRecord) == 136);
static_assert(offsetof(MemoryCopyRecord, operation_id) == 72);
static_assert(offsetof(MemoryCopyRecord, bytes) == 120);
static_assert(offsetof(MemoryCopyRecordV2, device) == sizeof(MemoryCopyRecord));
static_assert(sizeof(PeerToPeerCopyRecord) == 168);
static_assert(offsetof(PeerToPeerCopyRecord, operation_id) == 104);
static_assert(offsetof(PeerToPeerCopyRecordV2, source_device) == sizeof(PeerToPeerCopyRecord));
static_assert(sizeof(MemoryFillRecord) == 136);
static_assert(offsetof(MemoryFillRecord, operation_id) == 64);
static_assert(offsetof(MemoryFillRecord, bytes) == 112);
static_assert(offsetof(MemoryFillRecordV2, device) == sizeof(MemoryFillRecord));
static_assert(sizeof(OperationDetails) == 32);
static_assert(offsetof(OperationDetails, operation_id) == 8);
static_assert(sizeof(OperationData) == 56);
static_assert(offsetof(OperationData, phase) == 32);
static_assert(offsetof(OperationData, operations) == 48);

}  // namespace proton_xpu::pti
