export { createEngineAdmin, type EngineAdmin } from "./engine-admin.ts";
export type { ClusterMember, EnginePorts } from "./engine-config.ts";
export { findTakenPort } from "./find-taken-port.ts";
export { findEnginePorts, findFreePort } from "./free-port.ts";
export { createIdentity, identityKeyOf, isIdentityKey, readIdentityKey } from "./identity-key.ts";
export { KEEP_ALIVE_MS } from "./keep-alive.ts";
export { loadPeers, type Peers } from "./load-peers.ts";
export { createDurableFolder, parseAddress, type StoreMetrics } from "./open-durable.ts";
export { createPost, postJson } from "./post-json.ts";
export { findProcess, forgetProcess, noteProcess } from "./process-file.ts";
export {
  type Engine,
  type EngineOptions,
  endLeftEngine,
  findEngine,
  startEngine,
} from "./start-engine.ts";
export { watchUntilRest } from "./watch-until-rest.ts";
