import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { peekSentences } from "./peek-contract.ts";
import { putSentences } from "./put-contract.ts";

/** What every inbox must keep. */
export function inboxContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract({ ...putSentences, ...peekSentences }, options);
}
