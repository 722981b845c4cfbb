/** The OpenAPI document: requests and answers, from the same schemas as the routes. */
import type { RouteConfig, z } from "@hono/zod-openapi";
import { FILE_BYTES_MAX, FILE_TYPES } from "@turnseal/protocol/files";
import { BODY_BYTES_MAX } from "../limits.ts";
import {
  agentParams,
  chatBody,
  chatParams,
  chatStreamQuery,
  stopBody,
  transcriptAnswer,
  transcriptQuery,
} from "./chat-schemas.ts";
import type { ServerApp } from "./environment.ts";
import {
  agentsAnswer,
  contextAnswer,
  contextQuery,
  costAnswer,
  inboxAnswer,
  inboxQuery,
  loopsAnswer,
  receiptsAnswer,
  receiptsQuery,
  runAnswer,
  runsAnswer,
  runsQuery,
} from "./read-schemas.ts";
import {
  abortBody,
  answerBody,
  cancelBody,
  decisionBody,
  errorAnswer,
  fileAnswer,
  fileParams,
  fileQuery,
  healthAnswer,
  messageBody,
  pageAnswer,
  pageQuery,
  resolutionBody,
  retryBody,
  revocationBody,
  runParams,
  signalBody,
  standingAnswer,
  startBody,
  startedAnswer,
  startParams,
  streamQuery,
  streamSchemas,
  toldAnswer,
} from "./schemas.ts";

const json = (schema: z.ZodType, description: string) => ({
  description,
  content: { "application/json": { schema } },
});
const error = (description: string) => json(errorAnswer, description);
const body = (schema: z.ZodType) => ({
  required: true,
  content: { "application/json": { schema } },
});
/** The refusals of every route but health. */
const refusals = {
  400: error("the request does not match this route"),
  401: error("the request is not authenticated"),
  429: error("too many requests or streams; retry-after says when to try again"),
};
const ofRun = { ...refusals, 404: error("there is no such run") };

/** A route that sends a message to a run, and answers when that is durable. */
const telling = (name: string, schema: z.ZodType, summary: string): RouteConfig => ({
  method: "post",
  path: `/v1/runs/{run}/${name}`,
  summary,
  request: { params: runParams, body: body(schema) },
  responses: {
    202: json(toldAnswer, "the message is saved for the run"),
    ...ofRun,
    403: error("the caller lacks the role for this"),
    409: error("the run or the request has ended, or a different message was sent before"),
    413: error(`the body is longer than ${BODY_BYTES_MAX} bytes`),
    415: error("the body is not JSON"),
    422: error("the body does not fit the loop or the request"),
  },
});

interface View {
  readonly path: string;
  readonly summary: string;
  readonly answer: z.ZodType;
  readonly query?: z.ZodObject;
  /** Only for callers with a role. */
  readonly needsRole?: true;
}

/** A route that reads, and changes nothing. */
const viewing = ({ path, summary, answer, query, needsRole }: View): RouteConfig => {
  const isOfRun = path.includes("{run}");
  return {
    ...{ method: "get", path, summary },
    request: {
      ...(isOfRun ? { params: runParams } : {}),
      ...(query === undefined ? {} : { query }),
    },
    responses: {
      200: json(answer, "as it stands"),
      ...(isOfRun ? ofRun : refusals),
      ...(needsRole === true ? { 403: error("the caller lacks the role for this") } : {}),
    },
  };
};

const views: readonly View[] = [
  {
    path: "/v1/runs",
    summary: "the runs that the caller started; for operators, those of everybody",
    answer: runsAnswer,
    query: runsQuery,
    needsRole: true,
  },
  { path: "/v1/runs/{run}", summary: "how a run stands", answer: runAnswer },
  {
    path: "/v1/runs/{run}/standing",
    summary: "the approvals that stand, with the most that they still allow",
    answer: standingAnswer,
  },
  { path: "/v1/runs/{run}/cost", summary: "what a run has spent", answer: costAnswer },
  {
    path: "/v1/runs/{run}/receipts",
    summary: "the signed receipts of a run, by turn",
    answer: receiptsAnswer,
    query: receiptsQuery,
  },
  {
    path: "/v1/runs/{run}/transcript",
    summary: "the conversation as messages of the AI SDK, page by page",
    answer: transcriptAnswer,
    query: transcriptQuery,
  },
  {
    path: "/v1/runs/{run}/context",
    summary: "what the model was sent in one request, the last unless named; for operators",
    answer: contextAnswer,
    query: contextQuery,
    needsRole: true,
  },
  {
    path: "/v1/inbox",
    summary: "approvals and questions that the caller may decide",
    answer: inboxAnswer,
    query: inboxQuery,
  },
  { path: "/v1/agents", summary: "what can be started", answer: agentsAnswer },
  {
    path: "/v1/loops",
    summary: "every loop that is registered; for operators",
    answer: loopsAnswer,
    needsRole: true,
  },
];

const fileContent = Object.fromEntries(
  FILE_TYPES.map((type) => [type, { schema: { type: "string", format: "binary" } as const }]),
);
const uploading = (path: string, params: z.ZodObject, summary: string) =>
  ({
    ...{ method: "post", path, summary },
    request: { params, query: fileQuery, body: { required: true, content: fileContent } },
    responses: {
      201: json(fileAnswer, "the file is durable"),
      ...ofRun,
      413: error(`the file is longer than ${FILE_BYTES_MAX} bytes`),
      415: error("the content type is not one of a file"),
      422: error("the file is not of its content type, or cannot be kept"),
    },
  }) satisfies RouteConfig;

const chunks = {
  description: "the turn, as chunks of the AI SDK's UI message stream, v1",
  content: { "text/event-stream": { schema: { type: "string" } as const } },
};
const ofChat = { ...refusals, 404: error("no such agent is served, or the chat has no run") };
const asking = (path: string, params: z.ZodObject): RouteConfig => ({
  ...{ method: "get", path, summary: "whether a run was started under this name" },
  request: { params },
  responses: { 204: { description: "there is one" }, ...ofRun },
});
const chats: readonly RouteConfig[] = [
  asking("/v1/chats/{agent}/{id}", chatParams),
  {
    ...{ method: "post", path: "/v1/chats/{agent}" },
    summary: "what a page with useChat sends: the last message, or its decisions, are taken",
    request: { params: agentParams, body: body(chatBody) },
    responses: {
      200: chunks,
      ...ofChat,
      403: error("the caller lacks the role for this"),
      409: error("the run has ended, or a different message was sent before"),
      413: error(`the body is longer than ${BODY_BYTES_MAX} bytes`),
      415: error("the body is not JSON"),
      422: error("the input is not accepted"),
    },
  },
  {
    ...{ method: "get", path: "/v1/chats/{agent}/{id}/stream" },
    summary: "the turn that is under way, from its beginning",
    request: { params: chatParams, query: chatStreamQuery },
    responses: { 200: chunks, 204: { description: "nothing is under way" }, ...ofChat },
  },
  {
    ...{ method: "get", path: "/v1/chats/{agent}/{id}/messages" },
    summary: "the conversation so far, page by page",
    request: { params: chatParams, query: transcriptQuery },
    responses: { 200: json(transcriptAnswer, "messages in order"), ...ofChat },
  },
  {
    ...{ method: "post", path: "/v1/chats/{agent}/{id}/stop" },
    summary: "stop the turn that is under way",
    request: { params: chatParams, body: body(stopBody) },
    responses: {
      202: json(toldAnswer, "the stop is saved for the run"),
      ...ofChat,
      409: error("nothing is under way"),
      415: error("the body is not JSON"),
    },
  },
  uploading("/v1/chats/{agent}/{id}/files", chatParams, "give a chat a file"),
];

export const ROUTES: readonly RouteConfig[] = [
  {
    method: "get",
    path: "/v1/health",
    summary: "whether the server is up; needs no authentication",
    security: [],
    responses: { 200: json(healthAnswer, "the server is up") },
  },
  ...views.map(viewing),
  {
    method: "post",
    path: "/v1/runs",
    summary: "start a run of an agent",
    request: { body: body(startBody) },
    responses: {
      201: json(startedAnswer, "the run is durable"),
      ...refusals,
      404: error("no agent of that name is served"),
      409: error("the key has already started a run with other input"),
      413: error(`the body is longer than ${BODY_BYTES_MAX} bytes`),
      415: error("the body is not JSON"),
      422: error("the input is not accepted"),
    },
  },
  {
    method: "get",
    path: "/v1/runs/{run}/events",
    summary: "the session of a run, page by page",
    request: { params: runParams, query: pageQuery },
    responses: { 200: json(pageAnswer, "events in order"), ...ofRun },
  },
  {
    method: "get",
    path: "/v1/runs/{run}/stream",
    summary: "the session of a run as it happens; Last-Event-ID goes on after an event",
    request: { params: runParams, query: streamQuery },
    responses: {
      200: {
        description: "event: EventEnvelope with an id; delta: Delta; state: RunState",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      ...ofRun,
    },
  },
  uploading("/v1/runs/{run}/files", runParams, "give a run a file, which a message can then name"),
  asking("/v1/starts/{key}", startParams),
  uploading("/v1/starts/{key}/files", startParams, "give a run a file before it is started"),
  {
    method: "get",
    path: "/v1/runs/{run}/files/{file}",
    summary: "a file of a run, by its digest; always an attachment",
    request: { params: fileParams },
    responses: { 200: { description: "the bytes", content: fileContent }, ...ofRun },
  },
  ...chats,
  telling("messages", messageBody, "say something to the agent"),
  telling("decisions", decisionBody, "decide on an approval"),
  telling("revocations", revocationBody, "end an approval that stands"),
  telling("answers", answerBody, "answer a question"),
  telling("resolutions", resolutionBody, "say whether an action happened"),
  telling("signals", signalBody, "tell a run that something has happened"),
  telling("abort", abortBody, "stop a generation"),
  telling("retry", retryBody, "ask a provider again; for operators, lift a quarantine"),
  telling("cancel", cancelBody, "end a run; what it has done is sealed"),
];

export function addDocument(app: ServerApp): void {
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer" });
  for (const [name, schema] of Object.entries(streamSchemas)) registry.register(name, schema);
  for (const route of ROUTES) registry.registerPath(route);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Turnseal", version: "1", description: "Runs and their sessions." },
    security: [{ bearer: [] }],
  });
  app.get("/v1/openapi.json", (context) => context.json(document));
}
