import { Link } from "wouter";
import { PLAN_NAMES } from "../api/plans.gen.ts";
import { useAccount } from "./session.tsx";

/** The way to a larger plan as the end of a sentence; nothing on the largest. */
export function OrLargerPlan() {
  const { plan } = useAccount();
  if (plan === PLAN_NAMES.at(-1)) return null;
  return (
    <>
      , or <Link href="/billing">choose a larger plan</Link>
    </>
  );
}
