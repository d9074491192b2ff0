"""A model that wants to run commands: it asks for the next of a list each time, and keeps what it is told.

Speaks as much of four APIs as agents need: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions,
and Gemini. Everything on loopback.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    """Serves until it is closed. `results` has what became of each command, as the model is told."""

    def __init__(self, commands):
        self.commands = commands
        self.results = {}
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply("application/json", b'{"object": "list", "data": [], "models": []}')

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"] or 0)) or b"{}")
                self.reply(*model.answer(self.path, body))

            def reply(self, kind, body):
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, body):
        if "count_tokens" in path:
            return document({"input_tokens": 1})
        if "/messages" in path:
            return self.anthropic(body)
        if "/responses" in path:
            return self.responses(body)
        if "/chat/completions" in path:
            return self.completions(body)
        if "Content" in path:
            return self.gemini(body)
        return document({})

    def next(self, results):
        """The command to ask for after these results; none when all have been."""
        for command, result in zip(self.commands, results):
            self.results[command] = result if isinstance(result, str) else json.dumps(result)
        return self.commands[len(results)] if len(results) < len(self.commands) else None

    def anthropic(self, body):
        contents = [message["content"] for message in body["messages"]]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        command = self.next([part["content"] for part in parts if part.get("type") == "tool_result"])
        has_tool = any(tool.get("name") == "Bash" for tool in body.get("tools", []))
        if command is None or not has_tool:
            block, reason = {"type": "text", "text": ""}, "end_turn"
            delta = {"type": "text_delta", "text": "done"}
        else:
            block, reason = {"type": "tool_use", "id": f"toolu_{len(self.results)}", "name": "Bash", "input": {}}, "tool_use"
            arguments = json.dumps({"command": command, "description": "as asked", "timeout": 60000})
            delta = {"type": "input_json_delta", "partial_json": arguments}
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "m", "type": "message", "role": "assistant", "model": body.get("model"), "usage": usage,
                   "content": [], "stop_reason": None, "stop_sequence": None}
        if not body.get("stream"):
            return document(message | {"content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn"})
        return events([
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ])

    def responses(self, body):
        items = [item for item in body["input"] if isinstance(item, dict)]
        command = self.next([item["output"] for item in items if item.get("type") == "function_call_output"])
        if command is None:
            item = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}
        else:
            name = str(len(self.results))
            item = {"type": "function_call", "id": f"f{name}", "call_id": f"c{name}", "name": "exec_command",
                    "arguments": json.dumps({"cmd": command})}
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
                 "total_tokens": 2}
        return events([
            {"type": "response.created", "response": {"id": "r"}},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed", "response": {"id": "r", "usage": usage}},
        ])

    def completions(self, body):
        command = self.next([message["content"] for message in body["messages"] if message["role"] == "tool"])
        if command is None or not body.get("tools"):
            message, reason = {"role": "assistant", "content": "done"}, "stop"
        else:
            arguments = json.dumps({"command": command, "description": "as asked", "mode": "sync", "initial_wait": 30})
            call = {"index": 0, "id": f"c{len(self.results)}", "type": "function",
                    "function": {"name": "bash", "arguments": arguments}}
            message, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        base = {"id": "x", "created": 1, "model": body.get("model"), "object": "chat.completion.chunk",
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            return document(base | {"object": "chat.completion", "choices": [choice]})
        return events([
            base | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        ], last="data: [DONE]\n\n")

    def gemini(self, body):
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        command = self.next([part["functionResponse"]["response"] for part in parts if "functionResponse" in part])
        part = {"text": "done"}
        if command is not None and body.get("tools"):
            part = {"functionCall": {"name": "run_shell_command", "args": {"command": command, "description": "as asked"}}}
        return events([{
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        }])


def document(value):
    return "application/json", json.dumps(value).encode()


def events(values, last=""):
    return "text/event-stream", ("".join(map(event, values)) + last).encode()


def event(value):
    name = f"event: {value['type']}\n" if "type" in value else ""
    return f"{name}data: {json.dumps(value)}\n\n"
