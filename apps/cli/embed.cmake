# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# Writes the C++ source `output` that holds the files of `examples` and `templates`, two folders, for
# embedded_files.h. Run by the build: cmake -D output=... -D examples=... -D templates=... -P embed.cmake

set(code "// Made by embed.cmake.\n#include \"embedded_files.h\"\n\nnamespace backlash::cli {\nnamespace {\n\n")
set(number 0)

# Appends the bytes of a folder's files to `code`, and to the variable `list` what points at them.
macro(embed folder list)
  set(${list} "")
  file(GLOB_RECURSE files RELATIVE ${folder} ${folder}/*)
  foreach(file ${files})
    file(READ ${folder}/${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND code "const unsigned char bytes_${number}[] = {${bytes}0};\n")
    string(APPEND ${list} "    {\"${file}\", text(bytes_${number}, sizeof bytes_${number} - 1)},\n")
    math(EXPR number "${number} + 1")
  endforeach()
endmacro()

embed(${examples} example_list)
embed(${templates} template_list)
string(APPEND code "
std::string_view text(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

std::span<const EmbeddedFile> embedded_examples() {
  static const EmbeddedFile files[] = {\n${example_list}  };
  return files;
}

std::span<const EmbeddedFile> embedded_templates() {
  static const EmbeddedFile files[] = {\n${template_list}  };
  return files;
}

}  // namespace backlash::cli
")
file(WRITE ${output} "${code}")
