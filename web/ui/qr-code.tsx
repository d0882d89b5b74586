import { encode } from "uqr";

type QrCodeProps = { readonly text: string; readonly label: string };

/** Four modules around it, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/** A QR code, dark on light in both themes: many cameras cannot read the opposite. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const dark = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
