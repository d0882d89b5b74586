import { publicDnsAt } from "../catalogue/public-dns.ts";
import { KNOWN_SYSTEMS } from "../catalogue/systems.ts";
import { createMemory, type Memory } from "../memoize.ts";
import { type AddressUsage, type UsageInput, usageOf } from "./classify.ts";
import type { Coverage } from "./networks.ts";

/**
 * As `usageOf`: what is said of the use of addresses comes again and again, so it is decided once for equal hits and
 * systems, of which at most `max` are remembered for each coverage.
 */
export function createKnownUsage(max: number): (input: UsageInput) => AddressUsage {
  const usages = new WeakMap<Coverage, Memory<AddressUsage>>();
  return (input) => {
    const { coverage, hits, asn, isAsnKnown, asnType, address } = input;
    let memory = usages.get(coverage);
    if (memory === undefined) {
      memory = createMemory<AddressUsage>(max);
      usages.set(coverage, memory);
    }
    const system = asn !== null && KNOWN_SYSTEMS.has(asn) ? asn : "";
    const resolver = publicDnsAt(address) === null ? "" : address;
    let key = `${system} ${isAsnKnown} ${asnType} ${resolver}`;
    // Of lists of engines the size of the network says nothing, unless they name a provider.
    for (const { key: list, network, provider, prefix } of hits)
      key += network === null && provider === null ? ` ${list}` : ` ${list}/${prefix}`;
    return memory(key, () => usageOf(input));
  };
}
