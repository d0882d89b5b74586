import { answer, readBody, serve } from "./serve.ts";

// The least that a JSON service on node:http can do: read {"ip"}, answer {"ip"}.
serve((request, response) => {
  readBody(request, (body) => {
    const ip = typeof body === "object" && body !== null && "ip" in body ? body.ip : null;
    answer(response, JSON.stringify({ ip }));
  });
});
