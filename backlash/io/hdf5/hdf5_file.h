// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/io/hdf5/packed_chunk.h"

/// HDF5 files as this project reads and writes them: datasets are named by their full path, every
/// error names file and dataset, and HDF5 itself prints nothing. Text that is read is plain_text().
/// What a file holds may be wrong, which is an InputError; that it cannot be opened, read or
/// written is an IoError.
namespace backlash {

/// What an attribute may hold.
using Hdf5Value = std::variant<double, std::int64_t, std::string>;

/// An HDF5 file, open for reading.
class Hdf5Reader {
 public:
  /// Throws InputError if there is no such file, or it is no HDF5 file; IoError if it may not be
  /// read.
  explicit Hdf5Reader(const std::filesystem::path& file);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  bool has(const std::string& path) const;
  bool has_attribute(const std::string& path, const std::string& attribute) const;

  /// All values of a dataset, whatever its shape. Throws InputError if it is missing, holds another
  /// kind of data or cannot be read.
  std::vector<std::int64_t> integers(const std::string& path) const;
  Vector numbers(const std::string& path) const;
  std::string text(const std::string& path) const;

  std::vector<std::string> texts(const std::string& path) const;

  /// Numbers, or names as their integers, of a dataset that its program may have been killed over:
  /// the rows before the first that cannot be read or was not written (NaN, or a negative integer).
  Vector leading_numbers(const std::string& path) const;

  /// The value of a dataset that holds exactly one.
  std::int64_t integer(const std::string& path) const;

  /// Its size in every dimension.
  std::vector<std::size_t> shape(const std::string& path) const;

  /// What the integers of a dataset stand for; empty if they are plain integers.
  std::vector<std::string> names(const std::string& path) const;

  /// The members of a group, in the order in which they were made where the group knows it.
  std::vector<std::string> members(const std::string& path) const;

  /// Attributes of a group or dataset ("/" is the file itself).
  std::vector<std::string> attributes(const std::string& path) const;
  Hdf5Value attribute(const std::string& path, const std::string& name) const;

  /// Throw InputError: "<file>: <path> <complaint>".
  [[noreturn]] void refuse(const std::string& path, std::string_view complaint) const;

  /// An identifier of HDF5's, for our own sources; who asks closes it. Throws InputError if it is
  /// missing, is stored outside of the file, or claims more than the file can hold.
  std::int64_t open_dataset(const std::string& path) const;

 private:
  std::filesystem::path file_;
  std::int64_t id_ = -1;
};

/// When values get to the disk. Chunks are compressed that are written whole. One that is not yet
/// full waits in memory for a flush, which stores it plain; it stays so when it has grown in its
/// place: compressed it would move, so that a file whose program is killed meanwhile could not be
/// read. Or it waits until the file is committed: for files that are written at once.
enum class Storage { growing, at_once };

/// A dataset that grows at its end, in chunks of so many rows.
struct GrowingShape {
  int chunk = 4096;
  Storage storage = Storage::growing;
  int period = 1;  ///< values resemble those that many rows before
};

/// Chunks of a dataset that its index has room for in one node: usually, and at most.
inline constexpr std::size_t usual_chunks = 64, most_chunks = 65534;

/// An HDF5 file being written, under a temporary name beside its own until commit() or publish():
/// if anything fails before, what was there stays as it was.
class Hdf5Writer {
 public:
  /// An empty file, or one that begins as a copy of `source`. Datasets grow to `chunks` chunks
  /// within the one node that their indices have from the start; beyond, HDF5 divides nodes, and
  /// a program that is killed while it writes them leaves a dataset that cannot be read.
  explicit Hdf5Writer(const std::filesystem::path& file, std::size_t chunks = usual_chunks);
  Hdf5Writer(const std::filesystem::path& file, const std::filesystem::path& source);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& path);
  void remove(const std::string& path);
  void integers(const std::string& path, const std::vector<int>& values);
  void integer(const std::string& path, int value);
  void numbers(const std::string& path, const VectorView& values);
  void text(const std::string& path, const std::string& value);
  void texts(const std::string& path, const std::vector<std::string>& values);

  /// A group whose members are listed in the order in which they were made.
  void ordered_group(const std::string& path);

  /// Of a group or dataset ("/" is the file itself). One that is there is replaced.
  void attribute(const std::string& path, const std::string& name, const Hdf5Value& value);

  /// Datasets without rows yet; names, if there are any, stand for the integers 0, 1, …
  void growing_numbers(const std::string& path, const GrowingShape& shape);
  void growing_integers(const std::string& path, const GrowingShape& shape,
                        const std::vector<std::string>& names = {});

  void growing_texts(const std::string& path, const GrowingShape& shape);

  /// Add rows to such a dataset. Integers with names are at most 127.
  void append(const std::string& path, std::span<const double> values);
  void append(const std::string& path, std::span<const int> values);
  void append(const std::string& path, std::span<const std::string> values);

  /// Which part of what was added is stored plain.
  double plain_share() const;

  /// Make sure that the disk has room for so many bytes more, and that the file can be read even if
  /// the program is killed while it writes them. HDF5 alone survives neither.
  void reserve(std::size_t bytes);

  /// Everything to the disk: if the program is killed from here on, and before it writes again, the
  /// file can be read.
  void store();

  /// The same, for those who read the file in this process, too: they would see what open datasets
  /// knew before their last rows, and to open them again takes time.
  void flush();

  /// Give the file its name and go on writing.
  void publish();

  /// Give the file its name, unless it has it, and close it.
  void commit();

 private:
  void require(bool success, const std::string& path);
  [[noreturn]] void refuse(const std::string& path) const;
  int descriptor() const;            ///< of the open file; −1: there is none
  std::int64_t size_in_use() const;  ///< by HDF5, which knows nothing of reserves [bytes]

  /// What was reserved beyond, of a file that HDF5 has closed but for this descriptor.
  static void give_back(int file, std::int64_t used);

  /// After a failure: leave the file as it is on the disk, whatever HDF5 still wants to write.
  void detach();

  /// A dataset that grows.
  struct Column {
    std::int64_t id = -1;  ///< of the dataset, which stays open until a flush
    GrowingShape shape{};
    std::size_t value_size = 0;            ///< [bytes]
    std::vector<unsigned char> missing{};  ///< a value that was not written
    std::vector<unsigned char> tail{};     ///< values of the last chunk, if it is not full
    std::size_t rows = 0;                  ///< those of the tail among them
    std::size_t stored = 0;                ///< of the tail, plain [bytes]
  };

  /// `missing` is what rows hold that a killed program did not come to write.
  void create_growing(const std::string& path, std::int64_t type, const GrowingShape& shape,
                      const void* missing);
  Column& open_column(const std::string& path);
  void append_values(const std::string& path, std::span<const unsigned char> bytes);
  void append_to_tail(const std::string& path, Column& column,
                      std::span<const unsigned char> bytes);
  std::uint64_t extend(const std::string& path, const Column& column);
  void write_packed(const std::string& path, const Column& column,
                    std::span<const unsigned char> bytes);
  void write_plain(const std::string& path, Column& column);
  void reserve_tails();
  void store_tails();
  void close_columns();

  std::filesystem::path file_, temporary_;
  std::map<std::string, Column> columns_;
  std::size_t plain_bytes_ = 0, all_bytes_ = 0;  ///< of columns
  ChunkPacker packer_;
  std::int64_t id_ = -1;
  bool published_ = false, reserved_ = false;
};

/// For a program's first line: HDF5 then does not tidy up when the program ends, which for damaged
/// files it does with a loud complaint. What the two classes above opened they close themselves.
void leave_hdf5_at_exit();

}  // namespace backlash
