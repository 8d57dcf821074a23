// Reads a WARC file with warcio.js (Webrecorder), which knows nothing of citeloop, recomputes every digest from what
// that parser hands out, and prints a line for each record.
// node warcio.mjs FOLDER_WITH_NODE_MODULES FILE.warc.gz
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, file] = process.argv.slice(2);
const { WARCParser } = await import(pathToFileURL(resolve(folder, "node_modules/warcio/dist/index.js")));
const digest = (bytes) => "sha256:" + createHash("sha256").update(bytes).digest("hex");
const fail = (why) => { console.error(why); process.exit(1); };

// The block as it stands, and then what the parser takes for the payload.
for (const [parseHttp, field] of [[false, "WARC-Block-Digest"], [true, "WARC-Payload-Digest"]]) {
  for await (const record of new WARCParser(createReadStream(file), { parseHttp, keepHeadersCase: true })) {
    const bytes = await record.readFully(parseHttp);
    const said = record.warcHeader(field);
    if (said && said !== digest(bytes)) fail(`${field} of ${record.warcType} ${record.warcTargetURI}: ${said}, read ${digest(bytes)}`);
    if (!said && field === "WARC-Block-Digest") fail(`${record.warcType} has no ${field}`);
    if (parseHttp) {
      const status = record.warcType === "response" ? " " + record.httpHeaders.statusCode : "";
      console.log(`${record.warcType} ${record.warcTargetURI ?? "-"} ${bytes.length}${status}`);
    }
  }
}
