/**
 * The dictionary of packed texts: words that events, receipts and snapshots repeat, in the order in
 * which they are written. An event is field names and a few digests. Spelled out, the names would
 * take more room than the content behind the digests.
 *
 * This is part of the form of what is stored: a list that was released is never edited. A better
 * one is a form of its own.
 */
import { RECORD_WORDS } from "./record-words.ts";

export const PACK_WORDS = [
  '{"run":"","sequence":1,"hash":"","lastAt":"2026-01-01T00:00:00.000Z","spec":{"loop":"","version":"1.0.0","pinned":{" 1.0.0":{"id":"",',
  '"version":"1.0.0","digest":"sha256:","refined":["input","output"]}},"grant":{"grantor":"","budget":{},"tools":["local."]},',
  '"bounds":{"turnsMax":1,"failuresMax":1,"resumesMax":20,"goal":{"path":"$.output.","equals":}}},"input":{"digest":"hmac-sha256:","size":,"mediaType":"application/json"},',
  '"guidance":null,"policy":null,"startedAt":"2026-01-01T00:00:00.000Z","startedBy":{"kind":"host","id":"host"},"trigger":{"type":"run.started","sequence":1,"hash":"',
  '","by":{"kind":"host","id":"host"}},"turns":1,"failures":0,"openTurn":{"turn":1,"from":1,"input":{"digest":"hmac-sha256:","resumes":0,"waiting":null,"spentBefore":{"turns":1,"rounds":1,',
  '"open":[{"key":"","claim":,"hash":"","call":"","parentCall":"","name":"","effect":"idempotent","role":null,"excluded":[],"deadlineAt":"","reserve":{"rounds":1,"modelCalls":1,',
  '"inputTokens":,"outputTokens":4096},"periods":null,"isUnknown":false,"handoff":null}],"asked":[],"threads":{}},"openTurn":null,"lastTurn":null,"lastReceipt":null,"lastTurn":{"turn":1,',
  '"outcome":"completed","reason":null,"unit":null,"output":{"digest":"hmac-sha256:","size":,"mediaType":"application/json"},"isDecided":false,"isDecided":true,"isAborted":false},"lastReceipt":"sha256:',
  '","spending":{"settled":{"turns":1,"rounds":1,"modelCalls":1,"inputTokens":,"outputTokens":,"toolCalls":1,"effects":1},"assumed":{},"open":{}},"isCancelled":false,"signals":{},"awaited":null,',
  '"threads":{},"notes":{},"stopped":null,"stopped":"goal-reached","stoppedAt":"","blocked":null,"fold":7}',
  '{"payloadType":"application/vnd.in-toto+json","payload":"","signatures":[{"keyid":"","sig":"=="}]}\n{"_type":"https://in-toto.io/Statement/v1","predicate":{"budget":{"after":{"assumed":{},"open":{},',
  '"settled":{"effects":1,"inputTokens":,"modelCalls":1,"outputTokens":,"rounds":1,"toolCalls":1,"turns":1}},"before":{"assumed":{},"open":{},"settled":{}}},"closedAt":"2026-01-01T00:00:00.000Z",',
  '"effects":[{"action":"model","backend":"","claim":{"hash":"","sequence":},"deadlineAt":"","digest":"hmac-sha256:","effect":"repeatable","end":{"by":{"id":"kernel","kind":"kernel"},"hash":"","sequence":},',
  '"key":"","model":"","status":"ok"},{"action":"tool","build":"","claim":{"hash":"","effect":"idempotent","end":{"by":{"id":"kernel","kind":"kernel"},"status":"ok","term":"local.","tool":"local."}],',
  '"events":{"first":,"head":"","last":},"grant":{"budget":{},"grantor":"","tools":["local."]},"input":{"digest":"hmac-sha256:","mediaType":"application/json","size":},"key":{"id":"","issuer":"development"},',
  '"loop":"","loops":[{"digest":"sha256:","loop":"","version":"1.0.0"}],"outcome":"completed","output":{"digest":"hmac-sha256:","mediaType":"application/json","size":},"previous":"sha256:","run":"","semantics":4,',
  '"startedAt":"2026-01-01T00:00:00.000Z","trigger":{"by":{"id":"host","kind":"host"},"hash":"","sequence":1,"type":"run.started"},"turn":1,"turnKey":":1","version":"1.0.0"},',
  '"predicateType":"https://turnseal.dev/receipt/v1","subject":[{"digest":{"sha256":""},"name":"turnseal:run//turn/1"}]}',
  '"semantics":4,"spending":{"assumed":{},"open":{},"settled":{"effects":1,"inputTokens":,"modelCalls":,"outputTokens":,"rounds":,"toolCalls":,"turns":1}},"trigger":{"by":{"id":"host","kind":"host"},"hash":"","sequence":1,"type":"run.started"},"version":"1.0.0"},',
  RECORD_WORDS,
].join("");
