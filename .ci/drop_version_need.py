"""Write a copy of a shared library that no longer asks for one symbol version.

    python drop_version_need.py GLIBCXX_3.4.32 libze_loader.so.1.20.6 out/libze_loader.so.1

A library built with GCC 13 names GLIBCXX_3.4.32 for a single marker symbol that is never called
(`std::ios_base_library_init`), and the dynamic linker of a system with an older libstdc++ refuses
to load it for that. The entry is taken out of the `.gnu.version_r` list of needed versions, and the
symbols that carried its index become unversioned, so they bind to any definition or, being weak or
never called, to none. Layout and size of the file stay as they are. ELF64, little-endian.
"""

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SHT_GNU_VERNEED = 0x6FFFFFFE
SHT_GNU_VERSYM = 0x6FFFFFFF
VER_NDX_GLOBAL = 1
VERSYM_HIDDEN = 0x8000

_ELF_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_VERNEED = struct.Struct("<HHIII")  # version, count, file, offset of first entry, offset of next
_VERNAUX = struct.Struct("<IHHII")  # hash, flags, index, name, offset of next


class ElfError(ValueError):
    """The file is not an ELF library of the expected form."""


@dataclass(frozen=True)
class Section:
    """What is needed of a section header."""

    kind: int
    offset: int
    size: int
    link: int


@dataclass(frozen=True)
class Need:
    """One needed version: where its record, its library's record and its predecessor stand."""

    name: str
    index: int
    library_offset: int
    offset: int
    previous_offset: int | None


def read_sections(image: bytes | bytearray) -> list[Section]:
    """Return the section headers.

    Raises:
        ElfError: not a 64-bit little-endian ELF file, or the section table lies outside of it.
    """
    if len(image) < _ELF_HEADER.size or image[:6] != b"\x7fELF\x02\x01":
        raise ElfError("not a 64-bit little-endian ELF file")
    header = _ELF_HEADER.unpack_from(image)
    table, entry_size, count = header[6], header[11], header[12]
    if entry_size != _SECTION.size or table + count * entry_size > len(image):
        raise ElfError("the section table is missing or cut off")
    sections = []
    for number in range(count):
        fields = _SECTION.unpack_from(image, table + number * entry_size)
        sections.append(Section(kind=fields[1], offset=fields[4], size=fields[5], link=fields[6]))
    return sections


def find_section(sections: list[Section], kind: int) -> Section | None:
    """Return the only section of a kind, or None."""
    return next((section for section in sections if section.kind == kind), None)


def read_needs(image: bytes | bytearray) -> Iterator[Need]:
    """Yield the symbol versions that the library needs, in the order of the file.

    Raises:
        ElfError: a record points outside of the file.
    """
    sections = read_sections(image)
    needs = find_section(sections, SHT_GNU_VERNEED)
    if needs is None:
        return
    names = sections[needs.link].offset
    try:
        library = needs.offset
        while True:
            _, count, _, first, next_library = _VERNEED.unpack_from(image, library)
            offset, previous = library + first, None
            for _ in range(count):
                _, _, index, name, next_offset = _VERNAUX.unpack_from(image, offset)
                end = image.index(b"\0", names + name)
                text = image[names + name : end].decode("ascii")
                yield Need(text, index, library, offset, previous)
                offset, previous = offset + next_offset, offset
            if next_library == 0:
                return
            library += next_library
    except (struct.error, ValueError) as error:
        raise ElfError("the list of needed versions is broken") from error


def drop_version_need(image: bytes, version: str) -> bytes:
    """Return the library without its need for `version`; unchanged if it has none.

    Raises:
        ElfError: not an ELF library of the expected form, or `version` is all that it needs of a
            library, so that no list would be left.
    """
    result = bytearray(image)
    need = next((need for need in read_needs(image) if need.name == version), None)
    if need is None:
        return image
    _unlink(result, need)

    versions = find_section(read_sections(image), SHT_GNU_VERSYM)
    if versions is None:
        raise ElfError("needed versions, but no versions of symbols")
    for offset in range(versions.offset, versions.offset + versions.size, 2):
        (index,) = struct.unpack_from("<H", result, offset)
        if index & ~VERSYM_HIDDEN == need.index:
            struct.pack_into("<H", result, offset, VER_NDX_GLOBAL)

    left = [other.name for other in read_needs(bytes(result))]
    if left != [other.name for other in read_needs(image) if other.name != version]:
        raise ElfError(f"{version} could not be dropped")
    return bytes(result)


def _unlink(image: bytearray, need: Need) -> None:
    revision, count, file, first, next_library = _VERNEED.unpack_from(image, need.library_offset)
    if count == 1:
        raise ElfError(f"{need.name} is the only version needed of its library")
    step = _VERNAUX.unpack_from(image, need.offset)[4]
    if need.previous_offset is None:
        first += step
    else:
        fields = list(_VERNAUX.unpack_from(image, need.previous_offset))
        fields[4] = fields[4] + step if step else 0
        _VERNAUX.pack_into(image, need.previous_offset, *fields)
    _VERNEED.pack_into(image, need.library_offset, revision, count - 1, file, first, next_library)


def main() -> int:
    """Copy the library named by the second argument to the third, without the version."""
    version, source, target = sys.argv[1:]
    try:
        Path(target).write_bytes(drop_version_need(Path(source).read_bytes(), version))
    except (ElfError, OSError) as error:
        print(f"{source}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
