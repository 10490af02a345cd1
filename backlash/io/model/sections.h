// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/model/keys.h"

/// The sections of the model file: each reads its items into the context's model.
namespace backlash::reading {

void read_parameters(const Value& value);
/// Reports parameters that follow from one that an event sets: their value would stay behind.
void refuse_following_parameters(const Value& value);
void read_tables(const Value& value);
void read_states(const Value& value);
void read_profiles(const Value& value);
void read_bodies_section(const Value& value);
void read_joints(const Value& value);
void read_forces(const Value& value);
void read_contacts(const Value& value);
void read_laws(const Value& value);
void read_events(const Value& value);
void read_simulation(const Value& value);
void read_output(const Value& value);

/// The kind of joint that a text names, with its data at their defaults. Throws InputError.
JointKind joint_kind(const Value& type);

/// What the sections add to definitions().
std::vector<DefinitionInfo> table_definitions();
std::vector<DefinitionInfo> state_definitions();
std::vector<DefinitionInfo> profile_definitions();
std::vector<DefinitionInfo> body_definitions();
std::vector<DefinitionInfo> shape_definitions();
std::vector<DefinitionInfo> joint_definitions();
std::vector<DefinitionInfo> force_definitions();
std::vector<DefinitionInfo> law_definitions();
std::vector<DefinitionInfo> contact_definitions();
std::vector<DefinitionInfo> event_definitions();
std::vector<DefinitionInfo> simulation_definitions();
std::vector<DefinitionInfo> output_definitions();

/// Reads a shape of a body.
BodyShape read_shape(const Value& value, const std::string& name);

}  // namespace backlash::reading
