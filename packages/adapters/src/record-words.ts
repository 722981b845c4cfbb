/**
 * Words that events repeat, in the order in which canonical JSON writes them; the most frequent
 * stand last, where a reference to them is shortest. This is part of the file's format: a list that
 * was released is never edited.
 */
export const RECORD_WORDS = [
  '"action":"handoff","attempt":"child":"receipt":"claimHash":"hmac-sha256:',
  '"guidance":[],"supersedes":"unit":"parent":"unknown","abandon","retry":"orphaned"}"again"}"never"}',
  '{"actor":{"id":"host","kind":"host"},"at":"2026-01-01T00:00:00.000Z","content":{"input":{"digest":"hmac-sha256:',
  '"key":"start","spec":{"grant":{"budget":{"moneyMicros":"effects":"activeMs":},"grantor":"","tools":["local."',
  '"loop":"","pinned":{"":{"digest":"sha256:","id":"","version":"1.0.0"}},"bounds":{"deadlineAt":"failuresMax":1,',
  '"goal":{"equals":"","path":"$.output."},"nextInput":{"resumesMax":20,"turnsMax":8},"version":"1.0.0"}},',
  '"content":{"decision":"continue","reason":"goal-not-reached","receipt":"sha256:"decision":"stop","reason":"goal-reached",',
  '"content":{"kind":"cancel","key":"receivedAt":"name":"payload":{"digest":"hmac-sha256:,"type":"signal.received"}',
  '"content":{"resumes":1},"type":"turn.resumed"}"content":{"for":"person"}"for":"time","until":"type":"turn.waiting"}',
  '"type":"run.started"}"type":"run.decided"}"type":"run.stopped"}"type":"turn.denied"}"type":"call.errored"}',
  '"content":{"grant":{"budget":{"key":":1","loop":"previousReceipt":"sha256:semantics":1,"spending":{"assumed":{},"open":{},',
  '"settled":{"inputTokens":,"modelCalls":,"outputTokens":,"rounds":,"toolCalls":,"turns":1}},"version":"1.0.0"},',
  '"type":"turn.started"}"content":{"key":{"id":"","issuer":"development"},"outcome":"completed","output":{"digest":"hmac-sha256:',
  '"type":"turn.closed"}"type":"action.unknown"}"type":"action.resolved"}"resolution":"status":"failed"',
  '"content":{"child":"","loop":"","step":0},"epoch":1,"type":"child.started"}"content":{"child":"","status":"ok"},',
  '"type":"child.completed"}"content":{"action":"tool","build":"source:","deadlineAt":"","digest":"hmac-sha256:',
  '"effect":"idempotent","effect":"once","effect":"reconcile","effect":"read","key":"","request":{"digest":"hmac-sha256:',
  '"reserve":{"effects":1,"toolCalls":1},"term":"local.","tool":"local."},"type":"action.claimed"}',
  '"content":{"action":"tool","claim":,"durationMs":,"key":"","reserve":{"toolCalls":1},"result":{"digest":"hmac-sha256:',
  '","mediaType":"application/json","size":},"spent":{"toolCalls":1},"status":"ok"},"type":"action.settled"}',
  '"content":{"action":"model","backend":"","context":{"added":[{"digest":"hmac-sha256:","mediaType":"application/json",',
  '"role":"user","size":{"digest":"hmac-sha256:","mediaType":"application/json","role":"assistant","size":},',
  '"role":"tool","size":,"toolCallId":""}],"previous":"hmac-sha256:","strategy":"append"},"deadlineAt":"2026-01-01T00:00:',
  '"digest":"hmac-sha256:","effect":"repeatable","key":"","model":"","promptLength":,"reserve":{"inputTokens":,"modelCalls":1,',
  '"outputTokens":4096,"rounds":1}},"content":{"action":"model","answeredBy":"","claim":,"durationMs":,"finishReason":"stop",',
  '"finishReason":"tool-calls","inputTokens":,"key":"","outputTokens":,"reserve":{"inputTokens":,"modelCalls":1,"outputTokens":4096,',
  '"rounds":1},"result":{"digest":"hmac-sha256:","mediaType":"application/json","size":},"spent":{"inputTokens":,"modelCalls":1,',
  '"outputTokens":,"rounds":1},"status":"ok"},"content":{"digest":"sha256:","loop":"","version":"1.0.0"},"epoch":1,"hash":"',
  '"type":"call.started"}"type":"call.input.validated"}"type":"call.output.validated"}"type":"call.completed"}',
  '{"actor":{"id":"kernel","kind":"kernel"},"at":"2026-01-01T00:00:00.000Z","call":"","content":{"durationMs":0},"epoch":1,"hash":"',
  '","id":"","parentCall":"","previous":"","run":"","sequence":1,"turn":1,"type":"call.',
].join("");
