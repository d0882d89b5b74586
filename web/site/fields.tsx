import type { ReferenceField } from "../api/types.gen.ts";
import { WithCode } from "../report/with-code.tsx";

type Props = { readonly fields: readonly ReferenceField[]; readonly hasRequired?: boolean };

/** The members of a body, each below the one that holds it. */
export function Fields({ fields, hasRequired = false }: Props) {
  return (
    <dl className="fields">
      {placed(fields).map(({ field, path }) => (
        <div
          key={path}
          className={field.depth === 0 ? undefined : `in-${Math.min(field.depth, MOST_INDENTED)}`}
        >
          <dt>
            <code>{field.name}</code>{" "}
            <span className="muted">
              {field.type}
              {hasRequired && !field.is_required ? ", optional" : ""}
            </span>
          </dt>
          <dd>
            <WithCode text={field.description} />
            {field.values.length === 0 || field.values.length > MOST_VALUES ? null : (
              <span className="muted"> One of {field.values.join(", ")}.</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const MOST_VALUES = 24;
const MOST_INDENTED = 4;

/** With the path of each, which no other has. */
function placed(fields: readonly ReferenceField[]) {
  const names: string[] = [];
  return fields.map((field) => {
    names.splice(field.depth, names.length, field.name);
    return { field, path: names.join(".") };
  });
}
