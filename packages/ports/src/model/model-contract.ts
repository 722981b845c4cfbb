import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import { FINISH_REASONS, type Model, type ModelRequest } from "./model.ts";
import { ModelError } from "./model-error.ts";

interface ScriptableModel {
  readonly model: Model;
  /** The provider answers the next request with this text. */
  readonly answerWith: (text: string) => void;
  /** The provider fails the next request in a way that a client could be tempted to retry. */
  readonly failOnce: () => void;
  /** The provider keeps the next request waiting. */
  readonly stall: () => void;
  /** How many requests have reached the provider. */
  readonly requestCount: () => number;
}

/** What every model must keep. */
export function modelContract(options: ContractOptions<ScriptableModel>): ContractCase[] {
  return bindContract(
    {
      "answers with the provider's text and a known finish reason": async (subject) => {
        subject.answerWith("hello");
        const result = await subject.model.generate(request(subject.model));
        assert.deepEqual(result.content, [{ kind: "text", text: "hello" }]);
        assert.ok(FINISH_REASONS.includes(result.finishReason));
      },
      "reports usage as safe integers of at least zero": async (subject) => {
        subject.answerWith("hello");
        const { usage } = await subject.model.generate(request(subject.model));
        for (const tokens of [usage.inputTokens, usage.outputTokens]) {
          assert.ok(Number.isSafeInteger(tokens) && tokens >= 0, String(tokens));
        }
      },
      "makes one request and reports its failure as a ModelError": async (subject) => {
        subject.failOnce();
        await assert.rejects(subject.model.generate(request(subject.model)), ModelError);
        assert.equal(subject.requestCount(), 1);
      },
      "rejects promptly when the signal is aborted": async (subject) => {
        subject.stall();
        const controller = new AbortController();
        const answer = subject.model.generate(request(subject.model, controller.signal));
        setTimeout(() => controller.abort(), 20);
        await assert.rejects(answer, { code: "MODEL_ABORTED" });
      },
      "does not ask the provider when the signal is aborted already": async (subject) => {
        subject.answerWith("never seen");
        await assert.rejects(subject.model.generate(request(subject.model, AbortSignal.abort())), {
          code: "MODEL_ABORTED",
        });
      },
    },
    options,
  );
}

function request(model: Model, signal = new AbortController().signal): ModelRequest {
  return { model: model.defaultModel, messages: [{ role: "user", text: "say hello" }], signal };
}
