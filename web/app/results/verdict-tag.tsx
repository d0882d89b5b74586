import { Check } from "lucide-react";
import { VERDICTS, type VerdictWord } from "../../report/bands.tsx";
import "./verdict-tag.css";

const isVerdict = (word: string): word is VerdictWord => Object.hasOwn(VERDICTS, word);

/** The verdict of an answer; one without a score was only answered. */
export function VerdictTag({ verdict }: { readonly verdict: string | null }) {
  if (verdict === null || !isVerdict(verdict)) {
    return (
      <span className="tag" data-kind="good">
        <Check aria-hidden="true" />
        Answered
      </span>
    );
  }
  const { word, Icon } = VERDICTS[verdict];
  return (
    <span className={`tag verdict-tag verdict-tag-${verdict}`}>
      <Icon aria-hidden="true" />
      {word}
    </span>
  );
}
