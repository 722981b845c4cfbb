/**
 * An event that a tool records under a name of its own: the fields of its payload, each by
 * reference.
 */
import type { JsonObject } from "../canonical-json.ts";

export type VendorContent = JsonObject;
