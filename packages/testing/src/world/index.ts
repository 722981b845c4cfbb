export { createLosses, type Losses, withLosses } from "./lossy-stores.ts";
export { type ProgramLife, startLife } from "./program-life.ts";
export { createScratchStore, type ScratchStore } from "./scratch-store.ts";
export { passTime, type VirtualClock, virtualClock } from "./virtual-clock.ts";
