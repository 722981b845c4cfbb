import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { peekSentences } from "./peek-contract.ts";
import { putSentences } from "./put-contract.ts";

/** The contract of every inbox. */
export function inboxContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract({ ...putSentences, ...peekSentences }, options);
}
