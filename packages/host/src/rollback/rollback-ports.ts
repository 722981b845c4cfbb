import type { ClientPorts } from "../host-ports.ts";

/** What whoever looks at a rollback needs. */
export type RollbackPorts = Pick<ClientPorts, "stores" | "registry" | "tools" | "clock">;
