/**
 * Chats for pages that use the AI SDK: `useChat` with its own transport, or with ours.
 *
 *     POST /v1/chats/:agent              { id, messages, trigger }
 *     GET  /v1/chats/:agent/:id/stream   204 while nothing is under way
 */
import { formatGenerationId } from "@turnseal/protocol/events";
import type { Agent } from "@turnseal/sessions";
import {
  abortGeneration,
  type Chat,
  type ChatToTell,
  currentTurn,
  findChat,
  findFirstTry,
  findUnderWay,
  readChatMessage,
  readTranscript,
  takeDecisions,
  takeWords,
  UI_STREAM_HEADERS,
  watchChat,
} from "@turnseal/sessions";
import type { Context } from "hono";
import type { KeepUpload } from "./add-files.ts";
import { answerStarted } from "./add-runs.ts";
import { chatBody, chatStreamQuery, stopBody, transcriptQuery } from "./chat-schemas.ts";
import type { ServerApp, ServerEnvironment } from "./environment.ts";
import { type GiveBytes, giveJson } from "./give-bytes.ts";
import type { StreamRun } from "./open-run-stream.ts";
import { parseBody, parseFields } from "./parse-body.ts";
import { refuse, toResponse } from "./refusal.ts";

export interface ChatParts {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly streamRun: StreamRun;
  readonly keepUpload: KeepUpload;
  readonly give: GiveBytes;
}

type ChatContext = Context<ServerEnvironment>;

export function addChats(app: ServerApp, parts: ChatParts): void {
  const { agents, streamRun } = parts;
  const find = (context: ChatContext, id: string) =>
    findChat(context.var, { agents, agent: context.req.param("agent") ?? "", id });
  const idOf = (context: ChatContext) => context.req.param("id") ?? "";
  const tell = (context: ChatContext, run: string, told: ChatToTell) =>
    streamRun(context, {
      ...{ run, headers: UI_STREAM_HEADERS },
      watch: (stream, watched) => watchChat(stream, watched, told),
    });
  app.post("/v1/chats/:agent", async (context) => {
    const body = await parseBody(context.req.raw, chatBody);
    if (body.kind === "refused") return toResponse(body.refusal);
    if (body.value.trigger === "regenerate-message")
      return toResponse(refuse("BODY_REFUSED", { message: NEVER_REWRITTEN }));
    const chat = await find(context, body.value.id);
    const agent = agents[context.req.param("agent")];
    if (chat === undefined || agent === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const newest = body.value.messages.at(-1);
    const read = newest === undefined ? undefined : readChatMessage(newest);
    if (read === undefined) return toResponse(refuse("BODY_REFUSED"));
    if (read.kind === "refused") return toResponse(read.refusal);
    const { run } = chat;
    const talk = { chat, agent, word: { ...context.var, run } };
    const taken =
      read.kind === "words" ? await takeWords(talk, read) : await takeDecisions(talk, read);
    return taken.kind === "refused" ? toResponse(taken.refusal) : tell(context, run, taken.told);
  });
  app.get("/v1/chats/:agent/:id/stream", async (context) => {
    const query = parseFields(context.req.query(), chatStreamQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const chat = await find(context, idOf(context));
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const { turn, steps = 0 } = query.value;
    const wanted = turn ?? (await findUnderWay(context.var.host, chat, query.value.seen));
    if (wanted === undefined || !chat.isBegun) return new Response(null, { status: 204 });
    const first = await findFirstTry(context.var.host, chat.run, Math.max(1, wanted));
    return tell(context, chat.run, { turn: first, steps });
  });
  addChatPaths(app, { ...parts, find: (context) => find(context, idOf(context)) });
}

interface ChatPaths extends Pick<ChatParts, "keepUpload" | "give"> {
  readonly find: (context: ChatContext) => Promise<Chat | undefined>;
}

/** The paths of a chat beside posting to it: state, transcript, stop and files. */
function addChatPaths(app: ServerApp, { find, keepUpload, give }: ChatPaths): void {
  app.get("/v1/chats/:agent/:id", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    return answerStarted(chat.isBegun);
  });
  app.get("/v1/chats/:agent/:id/messages", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    if (!chat.isBegun) return context.json({ messages: [], sequence: 0, next: null });
    return answerTranscript(give, context, chat.run);
  });
  app.get("/v1/runs/:run/transcript", (context) =>
    answerTranscript(give, context, context.req.param("run")),
  );
  app.post("/v1/chats/:agent/:id/stop", async (context) => {
    // It says nothing, and keeps forms of other pages out.
    const body = await parseBody(context.req.raw, stopBody);
    if (body.kind === "refused") return toResponse(body.refusal);
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    if (!chat.isBegun) return toResponse(refuse("RUN_UNKNOWN"));
    const { run } = chat;
    const turn = currentTurn(await context.var.host.show(run));
    const generationId = formatGenerationId(run, turn);
    const stop = { generationId, key: `stop ${turn}` };
    const told = await abortGeneration({ ...context.var, run }, stop);
    if (told.kind === "refused") return toResponse(told.refusal);
    return context.json({ status: told.status }, 202);
  });
  app.post("/v1/chats/:agent/:id/files", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const { host, caller } = context.var;
    const { run, key } = chat;
    return keepUpload({
      tenant: caller.tenant,
      keep: (file) =>
        key === undefined ? host.keepFile(run, file) : host.keepStartFile(key, file),
      ...{ request: context.req.raw, name: context.req.query("name") },
    });
  });
}

const NEVER_REWRITTEN = "messages stay: send another one instead of regenerating";

async function answerTranscript(
  give: GiveBytes,
  context: ChatContext,
  run: string,
): Promise<Response> {
  const query = parseFields(context.req.query(), transcriptQuery);
  if (query.kind === "refused") return toResponse(query.refusal);
  const page = await readTranscript(context.var.host, run, query.value);
  return page === undefined ? toResponse(refuse("CURSOR_REFUSED")) : giveJson(give, page, context);
}
