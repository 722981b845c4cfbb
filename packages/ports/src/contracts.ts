export { clockContract } from "./clock/clock-contract.ts";
export { bindContract, type ContractCase, type ContractOptions } from "./contract.ts";
export { eventSinkContract } from "./event-sink/event-sink-contract.ts";
export { idsContract } from "./ids/ids-contract.ts";
export { modelContract } from "./model/model-contract.ts";
export { toolContract } from "./tool/tool-contract.ts";
