// The entry points that this driver has. Each has the type that the headers declare; the generator
// of the dispatch tables reads this list, and fills all other entries with "unsupported feature".
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

namespace softgpu::entry {

#define SOFTGPU_ENTRY(name) decltype(::name) name

SOFTGPU_ENTRY(zeInit);
SOFTGPU_ENTRY(zeInitDrivers);
SOFTGPU_ENTRY(zesInit);

SOFTGPU_ENTRY(zeDriverGet);
SOFTGPU_ENTRY(zeDriverGetApiVersion);
SOFTGPU_ENTRY(zeDriverGetProperties);
SOFTGPU_ENTRY(zeDriverGetIpcProperties);
SOFTGPU_ENTRY(zeDriverGetExtensionProperties);
SOFTGPU_ENTRY(zeDriverGetExtensionFunctionAddress);
SOFTGPU_ENTRY(zeDriverGetLastErrorDescription);

SOFTGPU_ENTRY(zeDeviceGet);
SOFTGPU_ENTRY(zeDeviceGetSubDevices);
SOFTGPU_ENTRY(zeDeviceGetRootDevice);
SOFTGPU_ENTRY(zeDeviceGetProperties);
SOFTGPU_ENTRY(zeDeviceGetComputeProperties);
SOFTGPU_ENTRY(zeDeviceGetModuleProperties);
SOFTGPU_ENTRY(zeDeviceGetCommandQueueGroupProperties);
SOFTGPU_ENTRY(zeDeviceGetMemoryProperties);
SOFTGPU_ENTRY(zeDeviceGetMemoryAccessProperties);
SOFTGPU_ENTRY(zeDeviceGetCacheProperties);
SOFTGPU_ENTRY(zeDeviceGetImageProperties);
SOFTGPU_ENTRY(zeDeviceGetExternalMemoryProperties);
SOFTGPU_ENTRY(zeDeviceGetP2PProperties);
SOFTGPU_ENTRY(zeDeviceCanAccessPeer);
SOFTGPU_ENTRY(zeDeviceGetStatus);
SOFTGPU_ENTRY(zeDeviceGetGlobalTimestamps);
SOFTGPU_ENTRY(zeDevicePciGetPropertiesExt);

SOFTGPU_ENTRY(zeContextCreate);
SOFTGPU_ENTRY(zeContextCreateEx);
SOFTGPU_ENTRY(zeContextDestroy);
SOFTGPU_ENTRY(zeContextGetStatus);
SOFTGPU_ENTRY(zeContextSystemBarrier);
SOFTGPU_ENTRY(zeContextMakeMemoryResident);
SOFTGPU_ENTRY(zeContextEvictMemory);

SOFTGPU_ENTRY(zeMemAllocShared);
SOFTGPU_ENTRY(zeMemAllocDevice);
SOFTGPU_ENTRY(zeMemAllocHost);
SOFTGPU_ENTRY(zeMemFree);
SOFTGPU_ENTRY(zeMemFreeExt);
SOFTGPU_ENTRY(zeMemGetAllocProperties);
SOFTGPU_ENTRY(zeMemGetAddressRange);

SOFTGPU_ENTRY(zeModuleCreate);
SOFTGPU_ENTRY(zeModuleDestroy);
SOFTGPU_ENTRY(zeModuleDynamicLink);
SOFTGPU_ENTRY(zeModuleGetNativeBinary);
SOFTGPU_ENTRY(zeModuleGetGlobalPointer);
SOFTGPU_ENTRY(zeModuleGetKernelNames);
SOFTGPU_ENTRY(zeModuleGetProperties);
SOFTGPU_ENTRY(zeModuleBuildLogDestroy);
SOFTGPU_ENTRY(zeModuleBuildLogGetString);

SOFTGPU_ENTRY(zeKernelCreate);
SOFTGPU_ENTRY(zeKernelDestroy);
SOFTGPU_ENTRY(zeKernelSetCacheConfig);
SOFTGPU_ENTRY(zeKernelSetGroupSize);
SOFTGPU_ENTRY(zeKernelSuggestGroupSize);
SOFTGPU_ENTRY(zeKernelSuggestMaxCooperativeGroupCount);
SOFTGPU_ENTRY(zeKernelSetArgumentValue);
SOFTGPU_ENTRY(zeKernelSetIndirectAccess);
SOFTGPU_ENTRY(zeKernelGetIndirectAccess);
SOFTGPU_ENTRY(zeKernelGetSourceAttributes);
SOFTGPU_ENTRY(zeKernelGetProperties);
SOFTGPU_ENTRY(zeKernelGetName);
SOFTGPU_ENTRY(zeKernelSetGlobalOffsetExp);

SOFTGPU_ENTRY(zeCommandQueueCreate);
SOFTGPU_ENTRY(zeCommandQueueDestroy);
SOFTGPU_ENTRY(zeCommandQueueExecuteCommandLists);
SOFTGPU_ENTRY(zeCommandQueueSynchronize);
SOFTGPU_ENTRY(zeCommandQueueGetOrdinal);
SOFTGPU_ENTRY(zeCommandQueueGetIndex);

SOFTGPU_ENTRY(zeCommandListCreate);
SOFTGPU_ENTRY(zeCommandListCreateImmediate);
SOFTGPU_ENTRY(zeCommandListCreateCloneExp);
SOFTGPU_ENTRY(zeCommandListDestroy);
SOFTGPU_ENTRY(zeCommandListClose);
SOFTGPU_ENTRY(zeCommandListReset);
SOFTGPU_ENTRY(zeCommandListHostSynchronize);
SOFTGPU_ENTRY(zeCommandListGetDeviceHandle);
SOFTGPU_ENTRY(zeCommandListGetContextHandle);
SOFTGPU_ENTRY(zeCommandListGetOrdinal);
SOFTGPU_ENTRY(zeCommandListImmediateGetIndex);
SOFTGPU_ENTRY(zeCommandListIsImmediate);
SOFTGPU_ENTRY(zeCommandListImmediateAppendCommandListsExp);

SOFTGPU_ENTRY(zeCommandListAppendLaunchKernel);
SOFTGPU_ENTRY(zeCommandListAppendLaunchCooperativeKernel);
SOFTGPU_ENTRY(zeCommandListAppendLaunchKernelIndirect);
SOFTGPU_ENTRY(zeCommandListAppendMemoryCopy);
SOFTGPU_ENTRY(zeCommandListAppendMemoryFill);
SOFTGPU_ENTRY(zeCommandListAppendMemoryCopyRegion);
SOFTGPU_ENTRY(zeCommandListAppendMemoryCopyFromContext);
SOFTGPU_ENTRY(zeCommandListAppendMemoryPrefetch);
SOFTGPU_ENTRY(zeCommandListAppendMemAdvise);
SOFTGPU_ENTRY(zeCommandListAppendBarrier);
SOFTGPU_ENTRY(zeCommandListAppendMemoryRangesBarrier);
SOFTGPU_ENTRY(zeCommandListAppendSignalEvent);
SOFTGPU_ENTRY(zeCommandListAppendWaitOnEvents);
SOFTGPU_ENTRY(zeCommandListAppendEventReset);
SOFTGPU_ENTRY(zeCommandListAppendWriteGlobalTimestamp);
SOFTGPU_ENTRY(zeCommandListAppendQueryKernelTimestamps);

SOFTGPU_ENTRY(zeEventPoolCreate);
SOFTGPU_ENTRY(zeEventPoolDestroy);
SOFTGPU_ENTRY(zeEventPoolGetContextHandle);
SOFTGPU_ENTRY(zeEventPoolGetFlags);
SOFTGPU_ENTRY(zeEventCreate);
SOFTGPU_ENTRY(zeEventDestroy);
SOFTGPU_ENTRY(zeEventHostSignal);
SOFTGPU_ENTRY(zeEventHostSynchronize);
SOFTGPU_ENTRY(zeEventQueryStatus);
SOFTGPU_ENTRY(zeEventHostReset);
SOFTGPU_ENTRY(zeEventQueryKernelTimestamp);
SOFTGPU_ENTRY(zeEventQueryTimestampsExp);
SOFTGPU_ENTRY(zeEventQueryKernelTimestampsExt);
SOFTGPU_ENTRY(zeEventGetEventPool);
SOFTGPU_ENTRY(zeEventGetSignalScope);
SOFTGPU_ENTRY(zeEventGetWaitScope);

SOFTGPU_ENTRY(zeFenceCreate);
SOFTGPU_ENTRY(zeFenceDestroy);
SOFTGPU_ENTRY(zeFenceHostSynchronize);
SOFTGPU_ENTRY(zeFenceQueryStatus);
SOFTGPU_ENTRY(zeFenceReset);

#undef SOFTGPU_ENTRY

}  // namespace softgpu::entry
