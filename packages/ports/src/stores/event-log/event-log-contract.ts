import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { answerSentences } from "./answer-contract.ts";
import { epochSentences } from "./epoch-contract.ts";
import { readSentences } from "./read-contract.ts";
import { transactionSentences } from "./transaction-contract.ts";

/** The contract of every event log. */
export function eventLogContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract(
    { ...epochSentences, ...answerSentences, ...transactionSentences, ...readSentences },
    options,
  );
}
