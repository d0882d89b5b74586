import { answer, serve } from "./serve.ts";

// The least that a gate on node:http could do: let everybody in.
serve((_request, response) => answer(response, "{}"));
