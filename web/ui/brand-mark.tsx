import mark from "./brand-mark.svg";
import "./brand-mark.css";

/** The sign of Repute, the same on every page and in the browser's tab. */
export const BrandMark = () => <img className="brand-mark" src={mark} alt="" width="24" height="24" />;
