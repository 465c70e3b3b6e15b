#include "tracer/pti/library_alias.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <vector>

namespace proton_xpu {
namespace {

constexpr std::size_t kPageSize = 4096;

/// All of the library but its strings, which follow it directly.
struct Image {
  Elf64_Ehdr header;
  Elf64_Phdr load_segment;
  Elf64_Phdr dynamic_segment;
  Elf64_Phdr stack_segment;
  Elf64_Dyn dynamic[8];
  Elf64_Sym symbols[1];   // the reserved one
  std::uint32_t hash[4];  // one bucket, one chain entry, both empty
};

Elf64_Phdr make_segment(std::uint32_t type, std::size_t offset, std::size_t size,
                        std::size_t alignment) {
  Elf64_Phdr segment{};
  segment.p_type = type;
  segment.p_flags = PF_R | PF_W;  // the dynamic loader writes addresses into the dynamic section
  segment.p_offset = segment.p_vaddr = segment.p_paddr = offset;
  segment.p_filesz = segment.p_memsz = size;
  segment.p_align = alignment;
  return segment;
}

std::vector<char> make_library(const std::string& soname, const std::string& needed) {
  const std::string strings = std::string(1, '\0') + soname + '\0' + needed + '\0';
  const std::size_t size = sizeof(Image) + strings.size();
  Image image{};
  std::memcpy(image.header.e_ident, ELFMAG, SELFMAG);
  image.header.e_ident[EI_CLASS] = ELFCLASS64;
  image.header.e_ident[EI_DATA] = ELFDATA2LSB;
  image.header.e_ident[EI_VERSION] = EV_CURRENT;
  image.header.e_type = ET_DYN;
  image.header.e_machine = EM_X86_64;
  image.header.e_version = EV_CURRENT;
  image.header.e_phoff = offsetof(Image, load_segment);
  image.header.e_ehsize = sizeof(Elf64_Ehdr);
  image.header.e_phentsize = sizeof(Elf64_Phdr);
  image.header.e_phnum = 3;
  image.load_segment = make_segment(PT_LOAD, 0, size, kPageSize);
  image.dynamic_segment =
      make_segment(PT_DYNAMIC, offsetof(Image, dynamic), sizeof image.dynamic, alignof(Elf64_Dyn));
  // Without it the library would ask for an executable stack, which glibc 2.41 refuses.
  image.stack_segment = make_segment(PT_GNU_STACK, 0, 0, 0);
  image.dynamic[0] = {DT_SONAME, {1}};
  image.dynamic[1] = {DT_NEEDED, {1 + soname.size() + 1}};
  image.dynamic[2] = {DT_STRTAB, {sizeof(Image)}};
  image.dynamic[3] = {DT_STRSZ, {strings.size()}};
  image.dynamic[4] = {DT_SYMTAB, {offsetof(Image, symbols)}};
  image.dynamic[5] = {DT_SYMENT, {sizeof(Elf64_Sym)}};
  image.dynamic[6] = {DT_HASH, {offsetof(Image, hash)}};
  image.dynamic[7] = {DT_NULL, {0}};
  image.hash[0] = 1;
  image.hash[1] = 1;

  std::vector<char> bytes(size);
  std::memcpy(bytes.data(), &image, sizeof image);
  std::memcpy(bytes.data() + sizeof image, strings.data(), strings.size());
  return bytes;
}

bool load(const std::vector<char>& bytes) {
  const int file = memfd_create("library_alias", MFD_CLOEXEC);
  if (file == -1) return false;
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
      dlopen(path.c_str(), RTLD_NOW) != nullptr) {
    // The file stays open: another one under the same path would pass for this library.
    return true;
  }
  close(file);
  return false;
}

}  // namespace

bool add_library_alias(const std::string& alias, const std::string& target) noexcept {
  try {
    return load(make_library(alias, target));
  } catch (const std::exception&) {
    return false;
  }
}

std::string soname_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  const char* strings = nullptr;
  std::ptrdiff_t soname = -1;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME) soname = static_cast<std::ptrdiff_t>(entry->d_un.d_val);
  }
  return strings != nullptr && soname >= 0 ? strings + soname : "";
}

}  // namespace proton_xpu
