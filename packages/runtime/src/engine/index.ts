export { followCarried } from "./follow-carried.ts";
export { createIdentity, identityKeyOf, isIdentityKey } from "./identity-key.ts";
export { loadPeers, type Peers } from "./load-peers.ts";
export { createDurableFolder, parseAddress } from "./open-durable.ts";
export { postJson } from "./post-json.ts";
export { findProcess, forgetProcess, noteProcess } from "./process-file.ts";
export { type DevEngine, endLeftEngine, startEngine } from "./start-engine.ts";
