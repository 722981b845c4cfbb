import type { ClientPorts } from "../../host-ports.ts";

/** The ports that the check of a rollback needs. */
export type RollbackPorts = Pick<ClientPorts, "stores" | "registry" | "tools" | "clock">;
