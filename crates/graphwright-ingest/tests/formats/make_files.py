"""Makes the office and PDF files of this folder. The text is invented for this project.

    pip install python-docx==1.2.0 reportlab==5.1.0 fpdf2==2.8.9
    python make_files.py
"""

from pathlib import Path

import docx
from docx.enum.text import WD_BREAK
from fpdf import FPDF
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

HERE = Path(__file__).parent
TITLE = "Lights of the north coast"
INTRODUCTION = (
    "Skerry Point is a station of the coast guard. The station Skerry Point is supplied by Fenwick Works, which also "
    "repairs its lamp twice a year when the weather allows a landing."
)
SECTION = "Gull Rock"
PARAGRAPH = (
    "The station Gull Rock is supplied by Harbour Stores. Gull Rock is not supplied by Fenwick Works. "
    "It is staffed by Ottilie Brandt."
)
TABLE = [["Station", "Height", "Lit"], ["Skerry Point", "41", "1874-05-03"], ["Gull Rock", "27", "1902-09-17"]]


def write_docx(path):
    document = docx.Document()
    document.add_heading(TITLE, level=1)
    document.add_paragraph(INTRODUCTION)
    document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    document.add_heading(SECTION, level=2)
    document.add_paragraph(PARAGRAPH)
    table = document.add_table(rows=0, cols=len(TABLE[0]))
    for row in TABLE:
        for cell, text in zip(table.add_row().cells, row):
            cell.text = text
    document.save(path)


def write_pdf_with_base_fonts(path):
    """As report generators write them: the fonts that every reader has, compressed streams."""
    style = getSampleStyleSheet()
    story = [
        Paragraph(TITLE, style["Heading1"]),
        Paragraph(INTRODUCTION, style["BodyText"]),
        PageBreak(),
        Paragraph(SECTION, style["Heading2"]),
        Paragraph(PARAGRAPH, style["BodyText"]),
        Table(TABLE),
    ]
    SimpleDocTemplate(str(path), pagesize=A4, title=TITLE, invariant=1).build(story)


def write_pdf_with_embedded_font(path):
    """As word processors print them: a part of a TrueType font, whose glyphs have numbers of their own."""
    pdf = FPDF()
    pdf.add_font("DejaVu", fname="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    pdf.add_page()
    pdf.set_font("DejaVu", size=20)
    pdf.multi_cell(0, 12, TITLE, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("DejaVu", size=11)
    pdf.multi_cell(0, 7, INTRODUCTION, new_x="LMARGIN", new_y="NEXT")
    pdf.add_page()
    pdf.set_font("DejaVu", size=15)
    pdf.multi_cell(0, 10, SECTION, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("DejaVu", size=11)
    pdf.multi_cell(0, 7, PARAGRAPH, new_x="LMARGIN", new_y="NEXT")
    with pdf.table(first_row_as_headings=False) as table:
        for row in TABLE:
            table.row(row)
    pdf.output(path)


if __name__ == "__main__":
    write_docx(HERE / "lights.docx")
    write_pdf_with_base_fonts(HERE / "lights.pdf")
    write_pdf_with_embedded_font(HERE / "lights_embedded_font.pdf")
