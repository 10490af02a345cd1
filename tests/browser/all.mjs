// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { after } from "node:test";
import { closeBrowser } from "./support.mjs";
import "./report.test.mjs";
import "./killed.test.mjs";
import "./examples.test.mjs";

after(closeBrowser);
