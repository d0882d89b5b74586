import { readFileSync } from "node:fs";
import { openApiDocument } from "../src/http/openapi.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
console.log(JSON.stringify(openApiDocument({ version, publicUrl: null }), null, 2));
