// The parts of `turnseal()`, for people who build a host of their own.
export { folderRoots } from "@turnseal/adapters/fs";
export { fileKeys, signerFromEnvironment } from "@turnseal/adapters/keys";
export { sqliteStores } from "@turnseal/adapters/sqlite";
export {
  type AdvanceOptions,
  createLocalHost,
  createRunClient,
  createRunDriver,
  type LocalHost,
  type RunClient,
  type RunDriver,
  type StartOptions,
} from "@turnseal/host";
export {
  bindLoops,
  createAppender,
  createContent,
  createExecutor,
  createRegistry,
  pinReferences,
  runTurn,
  type TurnPorts,
  type TurnResult,
} from "@turnseal/kernel";
export {
  type Clock,
  type Ids,
  memorySecrets,
  memoryStores,
  randomIds,
  type Secrets,
  type Signer,
  type Stores,
  systemClock,
} from "@turnseal/ports";
export { foldSpending, type JsonValue, NO_SPENDING } from "@turnseal/protocol";
export { keyIdOf } from "@turnseal/protocol/receipts";
