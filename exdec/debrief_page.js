"use strict";
const charts = JSON.parse(document.getElementById("charts").textContent);
const places = [...document.querySelectorAll(".jp-RenderedPlotly")];
places.forEach((place, at) => {
  const { data, layout, config } = charts[at];
  Plotly.newPlot(place, data, layout, { ...config, responsive: true, displayModeBar: false });
});
// On paper nothing can be unfolded, and a page is narrower than a screen.
const folded = [...document.querySelectorAll("details")];
const open = new Set();
addEventListener("beforeprint", () => {
  folded.filter((one) => one.open).forEach((one) => open.add(one));
  folded.forEach((one) => { one.open = true; });
  places.forEach((place) => Plotly.relayout(place, { width: 680 }));
});
addEventListener("afterprint", () => {
  folded.forEach((one) => { one.open = open.has(one); });
  open.clear();
  places.forEach((place) => Plotly.relayout(place, { width: null, autosize: true }));
});
