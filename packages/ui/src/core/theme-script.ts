/** Local storage key of the choice, and name of the window event that announces a new one. */
export const THEME_KEY = "stashlight-theme";

/**
 * Runs inline in <head> before the first paint, so a page never flashes the wrong theme. It is the only writer of
 * `data-theme`: it also follows the system, other tabs and useTheme(), and makes the page light while printing.
 * `data-recoloured` forbids transitions until the recoloured frame is drawn: thousands of elements would each begin
 * one, and the switch would take a second.
 */
export const themeScript = `(()=>{const k="${THEME_KEY}",r=document.documentElement,m=matchMedia("(prefers-color-scheme: light)");let t;
const show=(v)=>{const o=r.dataset.theme;r.dataset.theme=v;r.style.colorScheme=v;
if(o&&o!==v){r.dataset.recoloured="";requestAnimationFrame(()=>requestAnimationFrame(()=>{delete r.dataset.recoloured}))}};
const apply=()=>{const c=t==="dark"||t==="light";r.dataset.themeChoice=c?t:"system";show(c?t:m.matches?"light":"dark")};
const read=()=>{try{t=localStorage.getItem(k)}catch{}};
read();apply();m.addEventListener("change",apply);addEventListener("storage",()=>{read();apply()});
addEventListener(k,(e)=>{t=e.detail;apply()});addEventListener("beforeprint",()=>show("light"));addEventListener("afterprint",apply)})()`;
