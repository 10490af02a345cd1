// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/step/step_shapes.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <Interface_InterfaceModel.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Reader.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include "backlash/base/input_error.h"

namespace backlash::step {
namespace {

/// Edges and faces of all that was read, each as often as assemblies use it.
std::vector<TopoDS_Shape> used_shapes(const TopoDS_Shape& all) {
  std::vector<TopoDS_Shape> out;
  for (const TopAbs_ShapeEnum kind : {TopAbs_EDGE, TopAbs_FACE}) {
    TopTools_IndexedMapOfShape map;
    TopExp::MapShapes(all, kind, map);
    for (int i = 1; i <= map.Extent(); ++i) out.push_back(map(i));
  }
  return out;
}

bool is_edge_or_face(const TopoDS_Shape& shape) {
  return !shape.IsNull() && (shape.ShapeType() == TopAbs_EDGE || shape.ShapeType() == TopAbs_FACE);
}

std::string name_of(const Handle(StepRepr_RepresentationItem) & item) {
  return item->Name().IsNull() ? "" : item->Name()->ToCString();
}

std::string_view kind(const NamedShape& shape) {
  return shape.shape.ShapeType() == TopAbs_EDGE ? "edge" : "face";
}

bool includes(std::string_view kinds, std::string_view kind) {
  return kinds.find(kind) != std::string_view::npos;
}

/// "edges 'rail', 'rim' and faces 'slot'".
std::string names_of(const std::vector<NamedShape>& shapes, std::string_view kinds) {
  constexpr std::size_t most = 12;
  std::string out;
  for (const std::string_view wanted : {"edge", "face"}) {
    if (!includes(kinds, wanted)) continue;
    std::vector<std::string> names;
    for (const NamedShape& shape : shapes)
      if (kind(shape) == wanted && !shape.name.empty())
        names.push_back(fmt::format("'{}'", shape.name));
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    if (names.empty()) continue;
    const bool all = names.size() <= most;
    names.resize(std::min(names.size(), most));
    if (!out.empty()) out += " and ";
    out += fmt::format("{}s {}{}", wanted, fmt::join(names, ", "), all ? "" : ", …");
  }
  return out;
}

}  // namespace

std::vector<NamedShape> read_shapes(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file))
    throw InputError(fmt::format("{}: no such file", file.string()));
  Message::DefaultMessenger()->ChangePrinters().Clear();  // errors come back as exceptions
  STEPControl_Reader reader;
  if (reader.ReadFile(file.c_str()) != IFSelect_RetDone || reader.TransferRoots() == 0)
    throw InputError(fmt::format(
        "{}: cannot be read as a STEP file: it is damaged, is none, or has no shapes in it; export "
        "the part again as STEP (AP203, AP214 or AP242)",
        file.string()));
  const std::vector<TopoDS_Shape> used = used_shapes(reader.OneShape());
  const Handle(XSControl_WorkSession) session = reader.WS();
  const Handle(Transfer_TransientProcess) transferred =
      session->TransferReader()->TransientProcess();
  std::vector<NamedShape> out;
  for (int i = 1; i <= transferred->NbMapped(); ++i) {
    const auto item = Handle(StepRepr_RepresentationItem)::DownCast(transferred->Mapped(i));
    if (item.IsNull()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(transferred, item);
    if (!is_edge_or_face(shape)) continue;
    const std::string number = session->Model()->StringLabel(item)->ToCString();
    for (const TopoDS_Shape& use : used)
      if (use.IsPartner(shape)) out.push_back({use, name_of(item), number});
  }
  return out;
}

const NamedShape& find_shape(const std::vector<NamedShape>& shapes,
                             const std::filesystem::path& file, std::string_view name,
                             std::string_view kinds) {
  const NamedShape* found = nullptr;
  for (const NamedShape& shape : shapes) {
    if (!includes(kinds, kind(shape)) || (shape.name != name && shape.number != name)) continue;
    if (found && found->number != shape.number)
      throw InputError(
          fmt::format("{}: '{}' is the name of several: {} {} and {} {}; use the number",
                      file.string(), name, kind(*found), found->number, kind(shape), shape.number));
    if (found)
      throw InputError(
          fmt::format("{}: the {} '{}' is in several places of the assembly; export the part alone",
                      file.string(), kind(shape), name));
    found = &shape;
  }
  if (found) return *found;
  const std::string names = names_of(shapes, kinds);
  const auto example = std::ranges::find_if(
      shapes, [&](const NamedShape& shape) { return includes(kinds, kind(shape)); });
  throw InputError(fmt::format(
      "{}: there is no {} '{}'; {}, or use a number of the file such as '{}'", file.string(), kinds,
      name, names.empty() ? "none has a name: name it and export again" : "there are " + names,
      example == shapes.end() ? "#123" : example->number));
}

}  // namespace backlash::step
