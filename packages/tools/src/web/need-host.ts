/** Methods of HTTP, the verbs of a term that they need, and the request to the grant. */
import type { TermRequest } from "@turnseal/protocol";

export const METHODS = {
  GET: "read",
  HEAD: "read",
  POST: "create",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
} as const;
export type Method = keyof typeof METHODS;
export const HOST_VERBS = ["read", "create", "update", "delete"] as const;
export type HostVerb = (typeof HOST_VERBS)[number];

/** Without a destination the grant denies it, unless a term has no hosts. */
export function needHost(destination: string | undefined, verb: HostVerb): TermRequest {
  return {
    ...{ family: "network", resource: "web", verb, capability: "network_egress" },
    ...(destination === undefined ? {} : { destination }),
  };
}
