import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import { changeSentences } from "./change-contract.ts";
import { type ValueStateSubject, valueSentences } from "./value-contract.ts";

/** The contract of every value state. A subject is empty at first. */
export function valueStateContract(options: ContractOptions<ValueStateSubject>): ContractCase[] {
  return bindContract({ ...valueSentences, ...changeSentences }, options);
}
