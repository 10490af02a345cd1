// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "backlash/io/model/model_reader.h"
#include "backlash/model/model.h"
#include "backlash/results/run_description.h"
#include "commands.h"

/// A model file as commands are given it.
namespace backlash::cli {

/// Laws in the place of others, as `--law name=law` says.
std::vector<LawOverride> laws_of(const ModelArguments& arguments);

/// Read it, with parameters and laws as the arguments say.
Model read_model_with(const ModelArguments& arguments);

/// The files of a model, named as seen from the folder of the main one, and what is in them.
std::vector<ModelText> texts_of(const Model& model, const std::filesystem::path& file);

/// Where results go if nobody says it: `<model>-results` in the current folder. A file that is just
/// called model.yaml has the name of its folder.
std::filesystem::path default_folder(const std::filesystem::path& file);

}  // namespace backlash::cli
