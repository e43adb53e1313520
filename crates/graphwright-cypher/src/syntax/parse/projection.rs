//! `WITH` and `RETURN`: columns, order and part of the rows.

use super::Parser;
use crate::{
    lexer::Keyword,
    syntax::tree::{Page, Projection, ProjectionItem, SortItem},
};

impl Parser<'_> {
    pub(super) fn projection(&mut self, is_with: bool) -> Projection {
        let mut projection = Projection { distinct: self.at_distinct(), ..Projection::default() };
        if projection.distinct {
            self.at += 1;
        }
        projection.all = self.eat_symbol("*");
        if !projection.all || self.eat_symbol(",") {
            projection.items = self.list(Self::projection_item);
        }
        projection.page = self.page(None);
        if is_with {
            projection.condition = self.condition();
        }
        projection
    }

    /// Returns whether `DISTINCT` is the keyword here rather than a name.
    pub(super) fn at_distinct(&self) -> bool {
        let is_name =
            [",", ".", ")"].iter().any(|symbol| self.symbol_at(1, symbol)) || self.kind_at(1).is_none();
        self.at_keyword(Keyword::Distinct) && !is_name
    }

    fn projection_item(&mut self) -> ProjectionItem {
        let start = self.start();
        let expression = self.expression();
        let alias = self.eat_keyword(Keyword::As).then(|| self.expect_name("a name for the column"));
        ProjectionItem { expression, alias, span: self.span_from(start) }
    }

    /// Reads `ORDER BY`, `SKIP` and `LIMIT`, as far as they stand here in this order. `first` is
    /// the word that has been read already, if any.
    pub(super) fn page(&mut self, first: Option<Keyword>) -> Page {
        let mut page = Page::default();
        if first == Some(Keyword::Order) || first.is_none() && self.eat_keyword(Keyword::Order) {
            self.expect_keyword(Keyword::By);
            page.order = self.list(Self::sort_item);
        }
        let skip_read = matches!(first, Some(Keyword::Skip | Keyword::Offset));
        let limit_read = first == Some(Keyword::Limit);
        if skip_read || !limit_read && (self.eat_keyword(Keyword::Skip) || self.eat_keyword(Keyword::Offset))
        {
            page.skip = Some(self.expression());
        }
        if limit_read || self.eat_keyword(Keyword::Limit) {
            page.limit = Some(self.expression());
        }
        page
    }

    fn sort_item(&mut self) -> SortItem {
        let start = self.start();
        let expression = self.expression();
        let descending = self.eat_keyword(Keyword::Desc) || self.eat_keyword(Keyword::Descending);
        if !descending && !self.eat_keyword(Keyword::Asc) {
            self.eat_keyword(Keyword::Ascending);
        }
        SortItem { expression, descending, span: self.span_from(start) }
    }
}
