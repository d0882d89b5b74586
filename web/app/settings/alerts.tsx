import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Check } from "../../ui/check.tsx";
import { Select } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure } from "../../ui/states.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useSession } from "../session.tsx";

type Settings = Shapes["AlertsView"];

const QUERY_KEY = ["alerts"];
const PERCENTS = [50, 30, 20, 10, 5, 0];

type AlertsProps = {
  /** Of the account: they hear of its credits. */
  readonly isAccountOwner: boolean;
  /** Of the installation: they hear of its sources. */
  readonly isOwner: boolean;
};

/** What the person is mailed about; each change is saved at once. */
export function Alerts(props: AlertsProps) {
  const alerts = useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => dashboard.alerts(signal) });
  const hasMail = useSession().data?.has_mail === true;
  if (!hasMail)
    return <p className="muted">This installation sends no mail: set mail.smtp_url in its configuration.</p>;
  return (
    <Loaded query={alerts} what="what you are mailed about">
      {(settings) => <AlertForm settings={settings} {...props} />}
    </Loaded>
  );
}

type FormProps = AlertsProps & { readonly settings: Settings };

function AlertForm({ settings, isAccountOwner, isOwner }: FormProps) {
  const queries = useQueryClient();
  const say = useSay();
  const save = useMutation({
    mutationFn: (changed: Partial<Settings>) => dashboard.changeAlerts({ ...settings, ...changed }),
    onSuccess: (saved) => {
      queries.setQueryData(QUERY_KEY, saved);
      say("Saved");
    },
  });
  return (
    <div className="settings-part">
      {save.error !== null && <Failure error={save.error} isInline />}
      {isAccountOwner && (
        <Select
          label="When few credits are left"
          value={`${settings.credits_percent}`}
          onChange={({ target }) => save.mutate({ credits_percent: Number(target.value) })}
        >
          {PERCENTS.map((percent) => (
            <option key={percent} value={`${percent}`}>
              {percent === 0 ? "No mail" : `Below ${percent} % of the cycle's credits`}
            </option>
          ))}
        </Select>
      )}
      <Check
        label="When there is a sign-in from a new network"
        isOn={settings.sign_in}
        onChange={(isOn) => save.mutate({ sign_in: isOn })}
      />
      {isOwner && (
        <Check
          label="When a source has been failing for a day"
          isOn={settings.sources}
          onChange={(isOn) => save.mutate({ sources: isOn })}
        />
      )}
    </div>
  );
}
