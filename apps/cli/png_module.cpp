// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The module that makes pixels of SVG with librsvg; png_loaded.cpp loads it.
#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "backlash/base/io_error.h"
#include "png_module.h"

namespace backlash::cli {
namespace {

[[noreturn]] void refuse(GError* error) {
  const std::string message = error ? error->message : "unknown trouble";
  g_clear_error(&error);
  throw IoError(fmt::format("the picture cannot be turned into a PNG: {}", message));
}

cairo_status_t append(void* text, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(text)->append(data, data + length);
  return CAIRO_STATUS_SUCCESS;
}

std::string render(const std::string& svg, double scale) {
  GError* error = nullptr;
  const std::unique_ptr<RsvgHandle, void (*)(void*)> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error),
      g_object_unref);
  if (!handle) refuse(error);
  double width = 0, height = 0;
  rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height);
  const auto pixels = [&](double length) { return static_cast<int>(std::ceil(scale * length)); };
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)),
      cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> context(cairo_create(surface.get()),
                                                             cairo_destroy);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const RsvgRectangle page{0, 0, scale * width, scale * height};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &page, &error)) refuse(error);
  std::string png;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &png);
  if (status != CAIRO_STATUS_SUCCESS)
    throw IoError(
        fmt::format("the picture cannot be turned into a PNG: {}", cairo_status_to_string(status)));
  return png;
}

}  // namespace
}  // namespace backlash::cli

const backlash::cli::PngModule backlash_png{BACKLASH_VERSION, backlash::cli::render};
