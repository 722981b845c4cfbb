import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import { FINISH_REASONS, type Model, type ModelDelta, type ModelRequest } from "./model.ts";
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
  /** True where the provider can stream: then a watcher must receive pieces. */
  readonly canStream: boolean;
}

const TEXT = "hello, this is an answer of several words";

/** The contract of every model. */
export function modelContract(options: ContractOptions<ScriptableModel>): ContractCase[] {
  return bindContract({ ...answers, ...failures, ...watched }, options);
}

type Sentences = Readonly<Record<string, (subject: ScriptableModel) => Promise<void>>>;

const answers: Sentences = {
  "answers with the provider's text and a known finish reason": async (subject) => {
    subject.answerWith(TEXT);
    const result = await subject.model.generate(request(subject.model));
    assert.equal(joinTexts(result.content), TEXT);
    assert.ok(FINISH_REASONS.includes(result.finishReason));
  },
  "reports usage as safe integers of at least zero, or not at all": async (subject) => {
    subject.answerWith(TEXT);
    const { usage } = await subject.model.generate(request(subject.model));
    for (const tokens of Object.values(usage)) {
      assert.ok(Number.isSafeInteger(tokens) && tokens >= 0, String(tokens));
    }
  },
  "takes its own answer back, as it is stored": async (subject) => {
    subject.answerWith(TEXT);
    subject.answerWith(TEXT);
    const first = await subject.model.generate(request(subject.model));
    const stored: typeof first.content = JSON.parse(JSON.stringify(first.content));
    assert.deepEqual(stored, first.content);
    const asked = request(subject.model);
    const messages = [
      ...asked.messages,
      { role: "assistant", content: stored } as const,
      { role: "user", text: "and again" } as const,
    ];
    const second = await subject.model.generate({ ...asked, messages });
    assert.equal(joinTexts(second.content), TEXT);
  },
};

const failures: Sentences = {
  "makes one request and reports its failure as a ModelError": async (subject) => {
    subject.failOnce();
    await assert.rejects(subject.model.generate(request(subject.model)), ModelError);
    assert.equal(subject.requestCount(), 1);
  },
  "rejects promptly when the signal is aborted": async (subject) => {
    subject.stall();
    const controller = new AbortController();
    const answer = subject.model.generate(request(subject.model, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(answer, { code: "MODEL_ABORTED" });
  },
  "does not ask the provider when the signal is aborted already": async (subject) => {
    subject.answerWith("never seen");
    const signal = AbortSignal.abort();
    await assert.rejects(subject.model.generate(request(subject.model, { signal })), {
      code: "MODEL_ABORTED",
    });
  },
};

const watched: Sentences = {
  "tells pieces that are, joined, the text of their part": async (subject) => {
    subject.answerWith(TEXT);
    const deltas: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta) => void deltas.push(delta);
    const { content } = await subject.model.generate(request(subject.model, { onDelta }));
    if (subject.canStream) assert.ok(deltas.length > 0, "nothing was told");
    for (const { kind, part } of deltas) {
      const told = deltas.filter((delta) => delta.part === part).map(({ text }) => text);
      const item = content[part];
      assert.ok(item?.kind === kind, "a piece of another part");
      assert.equal(told.join(""), item.text);
    }
  },
  "tells when an answer has begun, where it says that it does": async (subject) => {
    subject.answerWith(TEXT);
    let hasBegun = false;
    const onFirstPiece = () => {
      hasBegun = true;
    };
    await subject.model.generate(request(subject.model, { onFirstPiece }));
    assert.equal(hasBegun, subject.model.tellsFirstPiece === true);
  },
  "answers the same whether somebody watches or not": async (subject) => {
    subject.answerWith(TEXT);
    subject.answerWith(TEXT);
    const quiet = await subject.model.generate(request(subject.model));
    const told = await subject.model.generate(request(subject.model, { onDelta: () => {} }));
    assert.equal(joinTexts(told.content), joinTexts(quiet.content));
    assert.equal(told.finishReason, quiet.finishReason);
  },
  "makes one request also when somebody watches": async (subject) => {
    subject.failOnce();
    const failing = subject.model.generate(request(subject.model, { onDelta: () => {} }));
    await assert.rejects(failing, ModelError);
    assert.equal(subject.requestCount(), 1);
  },
  "rejects promptly also when somebody watches": async (subject) => {
    subject.stall();
    const controller = new AbortController();
    const answer = subject.model.generate(
      request(subject.model, { signal: controller.signal, onDelta: () => {} }),
    );
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(answer, { code: "MODEL_ABORTED" });
  },
};

function request(model: Model, fields: Partial<ModelRequest> = {}): ModelRequest {
  const { signal } = new AbortController();
  const messages = [{ role: "user", text: "say hello" }] as const;
  return { model: model.defaultModel, messages, signal, ...fields };
}

function joinTexts(content: Awaited<ReturnType<Model["generate"]>>["content"]): string {
  return content.map((part) => (part.kind === "text" ? part.text : "")).join("");
}
