import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { decodeText } from "./decode-text.ts";

const MAX_BYTES = 5_000_000;

type GivenProps = {
  readonly text: string;
  /** `name`: of the file that it was read from; null: it was typed or pasted. */
  readonly onText: (text: string, name: string | null) => void;
};

/** What is to be looked up: typed, pasted, chosen as a file or dropped. It stays in the browser until its lines are checked. */
export function Given({ text, onText }: GivenProps) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) return setError(`"${file.name}" is larger than 5 MB: split it`);
    const content = decodeText(new Uint8Array(await file.arrayBuffer()));
    setError(
      content === null ? `"${file.name}" is not text in UTF-8 or UTF-16: save it as CSV in UTF-8` : null,
    );
    if (content !== null) onText(content, file.name);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a comfort; the field and the button do the same
    <div
      className="given"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void read(event.dataTransfer.files[0]);
      }}
    >
      <TextArea
        label="IP addresses, domains, URLs, e-mail addresses, networks and AS numbers, one a line"
        value={text}
        spellCheck={false}
        placeholder={"185.220.101.1\nexample.com\nhttps://example.com/login\n…"}
        error={error}
        onChange={(event) => {
          setError(null);
          onText(event.target.value, null);
        }}
      />
      <div className="button-row">
        <Button onClick={() => input.current?.click()}>
          <FileUp aria-hidden="true" />
          Choose a file
        </Button>
        <span className="muted small">Text or CSV up to 5 MB, or drop it on the field</span>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="File with lines or CSV"
          accept=".txt,.csv,.tsv,text/plain,text/csv"
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
    </div>
  );
}
